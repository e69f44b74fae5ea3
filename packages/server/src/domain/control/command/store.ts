import type { Actor, AuditEntry } from '../../identity/audit.ts'
import type { Command } from './command.ts'
import type { Target } from '../schedule/schedule.ts'
import type { CommandEventType, ReasonCode } from './states.ts'

/** A request that must not be done twice. */
export interface IdempotencyKey {
  partnerUuid: string
  key: string
  /** Of everything that makes two requests the same. */
  digest: Uint8Array
}

export interface NewCommand {
  command: Command
  /** When its effect is over. */
  endsAt: number | null
  siteZone: string
  /** The server plays the device's plan. */
  runsOnServer: boolean
  entry: AuditEntry
  key: IdempotencyKey | undefined
}

export type AddOutcome =
  | { outcome: 'added' }
  /** The same request came before: this is what was answered. */
  | { outcome: 'replayed'; command: Command }
  /** Another request came with this key. */
  | { outcome: 'key-reused' }

/** An input of the command's state machine. */
export interface CommandEvent {
  event: CommandEventType
  reason: { code: ReasonCode; message: string } | null
  at: number
  /** The partner that caused the event; the server if absent. */
  actor?: Actor
}

export interface CommandStore {
  /** One transaction: the command, its outbox row, its key, its audit entry, and the end of those it supersedes. */
  add(siteUuid: string, added: NewCommand): Promise<AddOutcome>
  /** What was answered to a request with this key within a day. */
  replay(siteUuid: string, key: IdempotencyKey, now: number): Promise<AddOutcome | undefined>
  get(siteUuid: string, deviceUuid: string, commandUuid: string): Promise<Command | undefined>
  /** Newest first; `before` is where the page before ended. */
  list(
    siteUuid: string,
    deviceUuid: string,
    page: { before: { createdAt: number; commandUuid: string } | undefined; limit: number },
  ): Promise<Command[]>
  /** Oldest first. */
  unfinished(siteUuid: string, deviceUuid: string): Promise<Command[]>
  /** What the device's plan is made of: the newest confirmed of each slot, and one-offs that are not over. */
  confirmed(siteUuid: string, deviceUuid: string, now: number): Promise<Command[]>
  /** The command as it is now, and whether that changed it; undefined when there is none. */
  apply(
    siteUuid: string,
    deviceUuid: string,
    commandUuid: string,
    event: CommandEvent,
  ): Promise<{ command: Command; isChanged: boolean } | undefined>
  /** Ends what the clock ends: expired, delivered and never confirmed. Answers with those that changed. */
  expireOverdue(now: number): Promise<Command[]>
}

export interface OutboxMessage {
  messageUuid: string
  siteUuid: string
  deviceUuid: string
  kind: 'command' | 'cancel' | 'target'
  body: OutboxBody
  /** How often the broker took it for a device that was not known to be offline. */
  tries: number
  /** How often the broker would not have it. */
  failures: number
  createdAt: number
  expiresAt: number
}

export interface OutboxBody {
  /** Of a cancel. */
  cancels?: string
  /** Of a cancel: nobody has said yet whether the command went out. */
  isInDoubt?: true
  /** Of a target. */
  target?: Target
}

/** What became of an attempt to send. */
export interface Attempt extends Pick<OutboxMessage, 'messageUuid' | 'siteUuid' | 'deviceUuid'> {
  outcome: 'sent' | 'refused' | 'waits'
  /** When to look at it again; a message that wants no answer is done once it is sent. */
  dueAt: number
  isDone: boolean
  /** What a device was told whose plan the server plays. */
  sentTarget?: Target
}

/** No message is put off, and no lease lasts, for longer than this: one that does was written under another clock. */
export const LONGEST_WAIT_MS = 15 * 60_000

export interface OutboxStore {
  /** Messages that are due, those that wait the longest first, and nobody else's until `leaseUntil`. */
  claim(now: number, leaseUntil: number, limit: number): Promise<OutboxMessage[]>
  /** Counts the attempts; a command that was sent is SENT, and one that was taken back on its way is called back. */
  recordAttempts(attempts: readonly Attempt[], now: number): Promise<void>
  /** The devices, or all of the site, may be reachable again: what waits for them is due, once nobody holds it. */
  retryNow(siteUuid: string, deviceUuids: readonly string[] | 'all', now: number): Promise<void>
  /** The device answered a message that is no command; false when there is none. */
  acknowledge(siteUuid: string, deviceUuid: string, messageUuid: string): Promise<boolean>
}

/** A device whose plan the server plays. */
export interface ServerSchedule {
  siteUuid: string
  deviceUuid: string
  nextAt: number
  /** What it was told last. */
  target: Target | null
}

export interface ServerScheduleStore {
  /** Those whose next change has come, or whose plan may have changed because a command ended. */
  due(now: number, limit: number): Promise<ServerSchedule[]>
  /** What a device was told last; null when nothing. */
  lastTarget(siteUuid: string, deviceUuid: string): Promise<Target | null>
  /** In one transaction, unless somebody else did: the next change, and the message with the target when there is one to send. */
  advance(
    player: ServerSchedule,
    nextAt: number | null,
    message: { messageUuid: string; target: Target; createdAt: number; expiresAt: number } | undefined,
  ): Promise<void>
}

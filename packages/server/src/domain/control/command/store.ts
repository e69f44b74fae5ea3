import type { Actor, AuditEntry } from '../../identity/audit.ts'
import type { Command, CommandState } from './command.ts'
import type { Target } from '../schedule/schedule.ts'
import type { CommandEventType, ReasonCode } from './states.ts'

/** Identifies a request, so that repeating it has no further effect. */
export interface IdempotencyKey {
  partnerUuid: string
  key: string
  /** Hash of the request, to detect a different request with the same key. */
  digest: Uint8Array
}

export interface NewCommand {
  command: Command
  /** When the command's effect ends. */
  endsAt: number | null
  siteZone: string
  /** The server runs the device's schedule. */
  runsOnServer: boolean
  entry: AuditEntry
  key: IdempotencyKey | undefined
}

export type AddOutcome =
  | { outcome: 'added' }
  /** The request is a repetition; this is the command that it created. */
  | { outcome: 'replayed'; command: Command }
  /** The key was used with a different request. */
  | { outcome: 'key-reused' }

/** An input of the command's state machine. */
export interface CommandEvent {
  event: CommandEventType
  reason: { code: ReasonCode; message: string } | null
  at: number
  /** The partner that caused the event; the server if absent. */
  actor?: Actor
}

/** How far a command has come. */
export type CommandOutcome = Pick<Command, 'state' | 'completedAt' | 'failureReason'>

/** Filter for an operator's search over commands. */
export interface CommandFilter {
  createdFrom: number
  siteUuid?: string
  partnerUuid?: string
  state?: CommandState
}

/** The place of a command in a list ordered by time. */
export type CommandPosition = Pick<Command, 'createdAt' | 'commandUuid'>

export interface CommandStore {
  /** One transaction: the command, its outbox row, key and audit entry, and the transitions of superseded commands. */
  add(siteUuid: string, added: NewCommand): Promise<AddOutcome>
  /** The outcome of a request with this key within the last `IDEMPOTENCY_KEY_TTL_MS`. */
  replay(siteUuid: string, key: IdempotencyKey, now: number): Promise<AddOutcome | undefined>
  get(siteUuid: string, deviceUuid: string, commandUuid: string): Promise<Command | undefined>
  /** Newest first; `before` is the last command of the previous page. Without a device, the commands of the site. */
  list(
    siteUuid: string,
    deviceUuid: string | undefined,
    page: { before: CommandPosition | undefined; limit: number },
  ): Promise<Command[]>
  /** Commands of all sites that match, newest first; `before` is the last command of the previous page. */
  search(
    filter: CommandFilter,
    page: { before: CommandPosition | undefined; limit: number },
  ): Promise<Command[]>
  /** The outcome of the newest command of each of the devices, by device; devices without commands are left out. */
  lastOutcomes(siteUuid: string, deviceUuids: readonly string[]): Promise<ReadonlyMap<string, CommandOutcome>>
  /** Oldest first. */
  unfinished(siteUuid: string, deviceUuid: string): Promise<Command[]>
  /** The commands of the device's plan: the newest confirmed of each slot, and all one-offs that have not ended. */
  confirmed(siteUuid: string, deviceUuid: string, now: number): Promise<Command[]>
  /** The command after the event, and whether the event changed it; undefined if it does not exist. */
  apply(
    siteUuid: string,
    deviceUuid: string,
    commandUuid: string,
    event: CommandEvent,
  ): Promise<{ command: Command; isChanged: boolean } | undefined>
  /** Ends commands past their deadline: expired, or delivered and never confirmed. Returns those that changed. */
  expireOverdue(now: number): Promise<Command[]>
}

export interface OutboxMessage {
  messageUuid: string
  siteUuid: string
  deviceUuid: string
  kind: 'command' | 'cancel' | 'target'
  body: OutboxBody
  /** How often the broker accepted it for a device that was not known to be offline. */
  tries: number
  /** How often the broker rejected it. */
  failures: number
  createdAt: number
  expiresAt: number
}

export interface OutboxBody {
  /** For kind `cancel`: the command to cancel. */
  cancels?: string
  /** For kind `cancel`: whether the command was sent is not recorded yet. */
  isInDoubt?: true
  /** For kind `target`: the target to send. */
  target?: Target
}

/** The result of an attempt to send a message. */
export interface Attempt extends Pick<OutboxMessage, 'messageUuid' | 'siteUuid' | 'deviceUuid'> {
  outcome: 'sent' | 'refused' | 'waits'
  /** When the message is due again. A message without a response is done once it is sent. */
  dueAt: number
  isDone: boolean
  /** The target that was sent, for a device whose schedule the server runs. */
  sentTarget?: Target
}

/** Longest delay of a message and longest lease. A longer one was written while the clock was ahead. */
export const LONGEST_WAIT_MS = 15 * 60_000

/** Time for a device to respond before `retryNow` repeats a message. Every instance calls it when a device reconnects. */
export const RESPONSE_TIME_MS = 5_000

export interface OutboxStore {
  /** Claims due messages exclusively until `leaseUntil`, those that have waited longest first. */
  claim(now: number, leaseUntil: number, limit: number): Promise<OutboxMessage[]>
  /** Records the attempts. A sent command becomes SENT; for one cancelled while it was being sent, a cancel is due. */
  recordAttempts(attempts: readonly Attempt[], now: number): Promise<void>
  /**
   * Makes messages for the devices, or for all of the site, due now, or when their lease has expired. A message sent
   * less than `RESPONSE_TIME_MS` ago is due after that time.
   */
  retryNow(siteUuid: string, deviceUuids: readonly string[] | 'all', now: number): Promise<void>
  /** Removes a message that is not a command after the device acknowledged it; false if there is none. */
  acknowledge(siteUuid: string, deviceUuid: string, messageUuid: string): Promise<boolean>
}

/** The state of a device whose schedule the server runs. */
export interface ServerSchedule {
  siteUuid: string
  deviceUuid: string
  nextAt: number
  /** The target that was sent last. */
  target: Target | null
}

export interface ServerScheduleStore {
  /** Schedules whose next change is due, or whose plan may have changed because a command ended. */
  due(now: number, limit: number): Promise<ServerSchedule[]>
  /** The target that was sent to a device last; null if none was. */
  lastTarget(siteUuid: string, deviceUuid: string): Promise<Target | null>
  /** One transaction, without effect if the stored row has changed: the next change and the message, if any. */
  advance(
    schedule: ServerSchedule,
    nextAt: number | null,
    message: { messageUuid: string; target: Target; createdAt: number; expiresAt: number } | undefined,
  ): Promise<void>
}

import { type Actor, type AuditEntry, SERVER } from '../audit/audit.ts'
import { newUuid } from '../lib/ids.ts'
import { zoneOf } from '../lib/zone.ts'
import { acceptedOf } from './accepted.ts'
import type { Command } from './command.ts'
import { supersedes } from './slots.ts'
import { isFinal, next } from './states.ts'
import type { Happening, OutboxMessage } from './store.ts'

/** A device that has a command and says nothing more is given this long. */
const CONFIRM_WITHIN_MS = 10 * 60_000
const CANCEL_KEPT_MS = 24 * 3_600_000

/** What something that happened makes of a command, and what has to be written with it. */
export interface Change {
  command: Command
  /** Recorded in the audit log as the actor that ended the command. */
  actor: Actor
  /** When the clock changes its state next; null once it is final. */
  clockAt: number | null
  isOver: boolean
  /** The device has it, or nobody wants it any more: its message goes. */
  endsSending: boolean
  /** Tells a device that may have the command to forget it. */
  cancel: NewMessage | undefined
}

export interface NewMessage extends Omit<OutboxMessage, 'tries' | 'failures'> {
  dueAt: number
}

/**
 * Undefined when it changes nothing. `leasedUntil` is when the claim of its message ends that nobody has recorded the outcome of:
 * the message may be on its way, or be out and its sender gone.
 */
export function changeOf(
  before: Command,
  { event, reason, at, actor = SERVER }: Happening,
  leasedUntil: number | null,
): Change | undefined {
  const state = next(before.state, event)
  if (!state) return undefined
  const isOver = isFinal(state)
  const isDelivered = state === 'DELIVERED'
  const command: Command = {
    ...before,
    state,
    updatedAt: at,
    completedAt: isOver ? at : null,
    failureReason: reason,
  }
  const wasSent = before.state !== 'PENDING'
  return {
    command,
    actor,
    clockAt: isOver ? null : isDelivered ? at + CONFIRM_WITHIN_MS : before.expiresAt,
    isOver,
    endsSending: isOver || isDelivered,
    cancel: isTakenBack(command) ? cancelFor(command, at, wasSent, leasedUntil) : undefined,
  }
}

/** What is superseded in a slot is replaced on the device too; of anything else that nobody wants it has to be told. */
export const isTakenBack = ({ state, type, failureReason }: Command): boolean =>
  state === 'CANCELLED' && (type === 'oneOff' || failureReason?.code !== 'SUPERSEDED')

export const cancelOf = (command: Command, at: number): NewMessage => ({
  messageUuid: newUuid(),
  siteUuid: command.siteUuid,
  deviceUuid: command.deviceUuid,
  kind: 'cancel',
  body: { cancels: command.commandUuid },
  createdAt: at,
  dueAt: at,
  expiresAt: at + CANCEL_KEPT_MS,
})

function cancelFor(
  command: Command,
  at: number,
  wasSent: boolean,
  leasedUntil: number | null,
): NewMessage | undefined {
  if (wasSent) return cancelOf(command, at)
  // What has expired ends without a word to the device, however that comes about.
  const isInDoubt = leasedUntil !== null && at < command.expiresAt
  return isInDoubt ? cancelInDoubt(command, at, leasedUntil) : undefined
}

/** Goes when the lease is over, unless its holder says before that the command went out, or that it did not. */
const cancelInDoubt = (command: Command, at: number, leasedUntil: number): NewMessage => ({
  ...cancelOf(command, at),
  body: { cancels: command.commandUuid, isInDoubt: true },
  dueAt: Math.max(at, leasedUntil),
})

/** The message of a command has its name. */
export const messageOf = (command: Command): NewMessage => ({
  messageUuid: command.commandUuid,
  siteUuid: command.siteUuid,
  deviceUuid: command.deviceUuid,
  kind: 'command',
  body: {},
  createdAt: command.createdAt,
  dueAt: command.createdAt,
  expiresAt: command.expiresAt,
})

/** What the clock does to a command whose time is over. */
export const ending = ({ state }: Command, at: number): Happening =>
  state === 'DELIVERED'
    ? {
        event: 'no-confirmation',
        at,
        reason: { code: 'NO_CONFIRMATION', message: 'The device has the command and did not confirm it.' },
      }
    : { event: 'expired', at, reason: null }

/** Those of the unfinished commands of its device that have nothing left to say once this one is accepted. */
export function supersededBy<C extends Command>(
  command: Command,
  unfinished: readonly C[],
  siteZone: string,
): C[] {
  const zone = zoneOf(siteZone)
  const newer = acceptedOf(command, zone)
  return unfinished.filter((older) => supersedes(newer, acceptedOf(older, zone)))
}

export const superseding = ({ commandUuid, createdAt }: Command): Happening => ({
  event: 'superseded',
  at: createdAt,
  reason: { code: 'SUPERSEDED', message: `Command ${commandUuid} took its place.` },
})

/** How a command ended. */
export const outcomeEntry = (command: Command, actor = SERVER): AuditEntry => ({
  at: command.updatedAt,
  actor,
  action: `command.${command.state.toLowerCase()}`,
  target: command.commandUuid,
  detail: {
    siteUuid: command.siteUuid,
    deviceUuid: command.deviceUuid,
    type: command.type,
    partnerUuid: command.partnerUuid,
    state: command.state,
    failureReason: command.failureReason,
  },
})

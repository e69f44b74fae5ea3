import { type AuditEntry, SERVER } from '../../identity/audit.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { getZone } from '../../../calendar/zone.ts'
import { toPlannedCommand } from '../schedule/planned-command.ts'
import type { Command } from './command.ts'
import type { CommandChange } from './command-event.ts'
import { supersedes } from '../schedule/slots.ts'
import { isFinal, nextState } from './states.ts'
import type { CommandEvent, OutboxMessage } from './store.ts'

/** How long a device may take to confirm a delivered command. */
const CONFIRM_WITHIN_MS = 10 * 60_000
const CANCEL_TTL_MS = 24 * 3_600_000

/** The result of an event: everything that a store writes for it. */
export interface Transition extends CommandChange {
  /** When the clock changes the command's state; null if it is final. */
  deadlineAt: number | null
  /** The command has ended, so the schedule that the server runs may have changed. */
  changesPlan: boolean
  /** The device has the command, or it has ended: its message is deleted. */
  stopsSending: boolean
  /** Message to a device that may have the command, to cancel it there. */
  cancel: NewOutboxMessage | undefined
  audit: AuditEntry[]
}

export interface NewOutboxMessage extends Omit<OutboxMessage, 'tries' | 'failures'> {
  dueAt: number
}

/**
 * Undefined if the event has no effect. `leasedUntil` is the lease expiry of the command's message if its delivery
 * result is not recorded yet: it may be in transit, or may have been sent by a process that has ended since.
 */
export function applyEvent(
  before: Command,
  { event, reason, at, actor = SERVER }: CommandEvent,
  leasedUntil: number | null,
): Transition | undefined {
  const state = nextState(before.state, event)
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
    previousState: before.state,
    deadlineAt: isOver ? null : isDelivered ? at + CONFIRM_WITHIN_MS : before.expiresAt,
    changesPlan: isOver,
    stopsSending: isOver || isDelivered,
    cancel: isRevoked(command) ? cancelFor(command, at, wasSent, leasedUntil) : undefined,
    audit: isOver ? [toOutcomeAuditEntry(command, actor)] : [],
  }
}

/** Whether the device needs a cancel message. It replaces a superseded command of the same slot without one. */
export const isRevoked = ({ state, type, failureReason }: Command): boolean =>
  state === 'CANCELLED' && (type === 'oneOff' || failureReason?.code !== 'SUPERSEDED')

export const toCancelMessage = (command: Command, at: number): NewOutboxMessage => ({
  messageUuid: newUuid(),
  siteUuid: command.siteUuid,
  deviceUuid: command.deviceUuid,
  kind: 'cancel',
  body: { cancels: command.commandUuid },
  createdAt: at,
  dueAt: at,
  expiresAt: at + CANCEL_TTL_MS,
})

function cancelFor(
  command: Command,
  at: number,
  wasSent: boolean,
  leasedUntil: number | null,
): NewOutboxMessage | undefined {
  if (wasSent) return toCancelMessage(command, at)
  // An expired command ends without a cancel message, as it does in an `expired` transition.
  const isInDoubt = leasedUntil !== null && at < command.expiresAt
  return isInDoubt ? cancelInDoubt(command, at, leasedUntil) : undefined
}

/** Due when the lease expires, unless its holder records before then whether the command was sent. */
const cancelInDoubt = (command: Command, at: number, leasedUntil: number): NewOutboxMessage => ({
  ...toCancelMessage(command, at),
  body: { cancels: command.commandUuid, isInDoubt: true },
  dueAt: Math.max(at, leasedUntil),
})

/** The message of a command has the command's UUID. */
export const toOutboxMessage = (command: Command): NewOutboxMessage => ({
  messageUuid: command.commandUuid,
  siteUuid: command.siteUuid,
  deviceUuid: command.deviceUuid,
  kind: 'command',
  body: {},
  createdAt: command.createdAt,
  dueAt: command.createdAt,
  expiresAt: command.expiresAt,
})

/** The event of a command whose deadline has passed. */
export const toTimeoutEvent = ({ state }: Command, at: number): CommandEvent =>
  state === 'DELIVERED'
    ? {
        event: 'no-confirmation',
        at,
        reason: {
          code: 'NO_CONFIRMATION',
          message: 'The device received the command but did not confirm it.',
        },
      }
    : { event: 'expired', at, reason: null }

/** The unfinished commands of the device that `command` supersedes. */
export function findSuperseded<C extends Command>(
  command: Command,
  unfinished: readonly C[],
  siteZone: string,
): C[] {
  const zone = getZone(siteZone)
  const newer = toPlannedCommand(command, zone)
  return unfinished.filter((older) => supersedes(newer, toPlannedCommand(older, zone)))
}

export const toSupersededEvent = ({ commandUuid, createdAt }: Command): CommandEvent => ({
  event: 'superseded',
  at: createdAt,
  reason: { code: 'SUPERSEDED', message: `Superseded by command ${commandUuid}.` },
})

/** The audit entry for the end of a command. */
export const toOutcomeAuditEntry = (command: Command, actor = SERVER): AuditEntry => ({
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

import type { AuditEntry } from '../../identity/audit.ts'
import type { Command } from './command.ts'
import { isFinal } from './states.ts'
import type { AddOutcome, IdempotencyKey, NewCommand } from './store.ts'
import {
  applyEvent,
  type NewOutboxMessage,
  toOutboxMessage,
  toOutcomeAuditEntry,
  toSupersededEvent,
  type Transition,
} from './transition.ts'
import { constantEquals } from '../../../kernel/constant-equals.ts'

/** An unfinished command that the new one supersedes, with the lease expiry of its message. */
export interface SupersededCommand {
  command: Command
  leasedUntil: number | null
}

/** Everything that a store writes for a new command. */
export interface AddDecision {
  /** The ends of the commands that it supersedes. */
  transitions: Transition[]
  /** From its first command on, the server runs the device's schedule. */
  startsServerSchedule: boolean
  command: Command
  /** When its effect is over. */
  endsAt: number | null
  /** When the clock changes its state; null if it has ended already. */
  deadlineAt: number | null
  message: NewOutboxMessage | undefined
  key: IdempotencyKey | undefined
  audit: AuditEntry[]
}

/** Whether older commands have to be loaded: one that has failed already supersedes nothing. */
export const canSupersede = ({ state }: Command): boolean => !isFinal(state)

/** `superseded` are those that `findSuperseded` has found; none if the command cannot supersede. */
export function decideAdd(
  { command, endsAt, runsOnServer, entry, key }: NewCommand,
  superseded: readonly SupersededCommand[],
): AddDecision {
  const isOver = isFinal(command.state)
  const event = toSupersededEvent(command)
  return {
    transitions: superseded.flatMap((older) => applyEvent(older.command, event, older.leasedUntil) ?? []),
    startsServerSchedule: runsOnServer,
    command,
    endsAt,
    deadlineAt: isOver ? null : command.expiresAt,
    message: isOver ? undefined : toOutboxMessage(command),
    key,
    audit: isOver ? [entry, toOutcomeAuditEntry(command)] : [entry],
  }
}

/** A request may be repeated with its key for so long. */
export const KEY_TTL_MS = 24 * 3_600_000

/** What to answer to a request whose key came before, with what was kept of it. */
export const toReplayOutcome = (
  { digest }: IdempotencyKey,
  stored: { digest: Uint8Array; command: string },
): AddOutcome =>
  constantEquals(stored.digest, digest)
    ? { outcome: 'replayed', command: JSON.parse(stored.command) as Command }
    : { outcome: 'key-reused' }

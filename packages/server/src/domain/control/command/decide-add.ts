import type { AuditEntry } from '../../identity/audit.ts'
import type { Command } from './command.ts'
import type { CommandChange } from './command-event.ts'
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
  /** The transitions that end the superseded commands. */
  transitions: Transition[]
  /** Whether this command makes the server run the device's schedule. */
  startsServerSchedule: boolean
  command: Command
  /** When the command's effect ends. */
  endsAt: number | null
  /** When the command times out; null if it is already final. */
  deadlineAt: number | null
  message: NewOutboxMessage | undefined
  key: IdempotencyKey | undefined
  audit: AuditEntry[]
  /** The superseded commands and the new one, for their events. */
  changed: CommandChange[]
}

/** Whether older commands must be loaded: a command that has already failed supersedes nothing. */
export const canSupersede = ({ state }: Command): boolean => !isFinal(state)

/** `superseded` is the result of `findSuperseded`; empty if the command cannot supersede others. */
export function decideAdd(
  { command, endsAt, runsOnServer, entry, key }: NewCommand,
  superseded: readonly SupersededCommand[],
): AddDecision {
  const isOver = isFinal(command.state)
  const event = toSupersededEvent(command)
  const transitions = superseded.flatMap((older) => applyEvent(older.command, event, older.leasedUntil) ?? [])
  return {
    transitions,
    startsServerSchedule: runsOnServer,
    command,
    endsAt,
    deadlineAt: isOver ? null : command.expiresAt,
    message: isOver ? undefined : toOutboxMessage(command),
    key,
    audit: isOver ? [entry, toOutcomeAuditEntry(command)] : [entry],
    changed: [...transitions, { command, previousState: null }],
  }
}

/** How long a request can be repeated with its idempotency key. */
export const IDEMPOTENCY_KEY_TTL_MS = 24 * 3_600_000

/** The outcome of a request whose key is already stored. */
export const toReplayOutcome = (
  { digest }: IdempotencyKey,
  stored: { digest: Uint8Array; command: string },
): AddOutcome =>
  constantEquals(stored.digest, digest)
    ? { outcome: 'replayed', command: JSON.parse(stored.command) as Command }
    : { outcome: 'key-reused' }

import { constantEquals } from '../lib/constant-equals.ts'
import type { Command } from './command.ts'
import type { AddOutcome, IdempotencyKey } from './store.ts'

/** A request may be repeated with its key for so long. */
export const KEY_TTL_MS = 24 * 3_600_000

/** What to answer to a request whose key came before, with what was kept of it. */
export const toReplayOutcome = ({ digest }: IdempotencyKey, stored: { digest: Uint8Array; command: string }): AddOutcome =>
  constantEquals(stored.digest, digest)
    ? { outcome: 'replayed', command: JSON.parse(stored.command) as Command }
    : { outcome: 'key-reused' }

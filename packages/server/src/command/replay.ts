import { constantEquals } from '../lib/constant-equals.ts'
import type { Command } from './command.ts'
import type { AddOutcome, KeyUse } from './store.ts'

/** A request may be repeated with its key for so long. */
export const KEY_KEPT_MS = 24 * 3_600_000

/** What to answer to a request whose key came before, with what was kept of it. */
export const replayed = ({ digest }: KeyUse, kept: { digest: Uint8Array; command: string }): AddOutcome =>
  constantEquals(kept.digest, digest)
    ? { outcome: 'replayed', command: JSON.parse(kept.command) as Command }
    : { outcome: 'key-reused' }

import type { AuditEntry } from '../audit.ts'
import type { SigningKey } from './keys.ts'

export interface SigningKeyStore {
  /** All stored keys, newest first. */
  list(): Promise<SigningKey[]>
  /** Adds the key unless a current one of its algorithm exists: several processes may start at the same time. */
  addFirst(key: SigningKey): Promise<void>
  /**
   * Makes `key` the current one. Older keys are retired at `entry.at`, or removed with `revokePrevious`; keys
   * retired before `removeRetiredBefore` are removed.
   */
  rotate(
    key: SigningKey,
    options: { revokePrevious: boolean; removeRetiredBefore: number },
    entry: AuditEntry,
  ): Promise<void>
}

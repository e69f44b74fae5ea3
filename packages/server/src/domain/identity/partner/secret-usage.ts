import { createWriteBehind } from '../../../kernel/batcher.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { PartnerStore } from './store.ts'

const FLUSH_EVERY_MS = 5_000

/** Records when each secret was last used. Stored in batches, so that issuing a token costs no write. */
export interface SecretUsage {
  record(secretId: string): void
  flush(): Promise<void>
  close(): Promise<void>
}

export function createSecretUsage(
  store: PartnerStore,
  clock: Clock,
  onError: (error: unknown) => void,
): SecretUsage {
  const uses = createWriteBehind<{ secretId: string; at: number }>({
    everyMs: FLUSH_EVERY_MS,
    key: ({ secretId }) => secretId,
    merge(pending, { at }) {
      pending.at = Math.max(pending.at, at)
    },
    flush: (batch) => store.recordUse(batch),
    onError,
  })
  return {
    record: (secretId) => uses.add({ secretId, at: clock.now() }),
    flush: uses.flush,
    close: uses.close,
  }
}

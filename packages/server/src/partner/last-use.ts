import type { Clock } from '../lib/clock.ts'
import type { PartnerStore } from './store.ts'

const FLUSH_EVERY_MS = 5_000

/** Remembers when each secret was last used and stores it in batches, so that a token costs no write. */
export interface LastUse {
  record(secretId: string): void
  flush(): Promise<void>
  close(): Promise<void>
}

export function createLastUse(store: PartnerStore, clock: Clock, onError: (error: unknown) => void): LastUse {
  let uses = new Map<string, number>()

  const flush = async (): Promise<void> => {
    if (uses.size === 0) return
    const batch = [...uses].map(([secretId, at]) => ({ secretId, at }))
    uses = new Map()
    await store.recordUse(batch)
  }

  const timer = setInterval(() => void flush().catch(onError), FLUSH_EVERY_MS)
  timer.unref()

  return {
    record: (secretId) => void uses.set(secretId, clock.now()),
    flush,
    close: () => {
      clearInterval(timer)
      return flush()
    },
  }
}

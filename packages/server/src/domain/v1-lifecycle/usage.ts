import { createWriteBehind } from '../../kernel/batcher.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isV1Path } from './catalogue.ts'
import { toHour } from './hours.ts'
import type { V1Period, V1CallCount, V1UsageRow, V1UsageStore } from './usage-store.ts'

/** Flush interval: a killed process loses at most the counts of this period. */
const FLUSH_EVERY_MS = 4_000

/** Counts the calls of version 1 by partner. Counted in memory and stored in batches, so that a call costs no write. */
export interface V1Usage {
  /**
   * `path` must be a catalogue path, not that of the request: memory must not grow with the paths that callers send.
   */
  count(partnerUuid: string, path: string, status: number): void
  flush(): Promise<void>
  /** Includes everything that this server has counted, unless the store cannot be written. */
  listForPartner: V1UsageStore['listForPartner']
  list: V1UsageStore['list']
  listPeriods: V1UsageStore['listPeriods']
  close(): Promise<void>
}

export function createV1Usage(
  store: V1UsageStore,
  clock: Clock,
  onError: (error: unknown) => void,
  /** Makes the other processes of this server store their counts. */
  flushOthers: () => Promise<void> = async () => {},
): V1Usage {
  const tallies = createWriteBehind<V1CallCount>({
    everyMs: FLUSH_EVERY_MS,
    key: ({ partnerUuid, statusClass, path, lastSeenAt }) =>
      `${partnerUuid} ${statusClass} ${toHour(lastSeenAt)} ${path}`,
    merge(pending, { calls, lastSeenAt }) {
      pending.calls += calls
      pending.lastSeenAt = Math.max(pending.lastSeenAt, lastSeenAt)
    },
    flush: (batch) => store.add(batch),
    onError,
  })

  /** If the counts cannot be stored, for example on a full disk, the report still works. */
  const flushIfPossible = (): Promise<void> => tallies.flush().catch(onError)

  const flushAll = (): Promise<unknown> => Promise.all([flushIfPossible(), flushOthers()])

  return {
    count(partnerUuid, path, status) {
      if (!isV1Path(path)) throw new Error(`${path} is not an endpoint of version 1.`)
      tallies.add({
        partnerUuid,
        path,
        statusClass: Math.floor(status / 100),
        calls: 1,
        lastSeenAt: clock.now(),
      })
    },
    flush: tallies.flush,
    async listForPartner(partnerUuid): Promise<V1UsageRow[]> {
      await flushAll()
      return store.listForPartner(partnerUuid)
    },
    async list(page): Promise<V1UsageRow[]> {
      await flushAll()
      return store.list(page)
    },
    async listPeriods(query): Promise<V1Period[]> {
      await flushAll()
      return store.listPeriods(query)
    },
    close: () => tallies.close().catch(onError),
  }
}

import type { Clock } from '../../kernel/clock.ts'
import { repeatEvery } from '../../kernel/repeat-every.ts'
import type { V1CallCount, V1UsageStore } from './usage-store.ts'

export const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Days whose calls are kept by the hour, today included. */
export const RETENTION_DAYS = 31

export const toHour = (at: number): number => at - (at % HOUR_MS)

/** Calls of one partner within one hour. */
export interface V1HourlyCalls {
  hour: number
  partnerUuid: string
  calls: number
  failed: number
}

/** One row for each partner and hour, in a fixed order, so that concurrent updates cannot deadlock. */
export function sumByHour(tallies: readonly V1CallCount[]): V1HourlyCalls[] {
  const sums = new Map<string, V1HourlyCalls>()
  for (const { partnerUuid, statusClass, calls, lastSeenAt } of tallies) {
    const hour = toHour(lastSeenAt)
    const key = `${hour} ${partnerUuid}`
    const sum = sums.get(key) ?? { hour, partnerUuid, calls: 0, failed: 0 }
    sum.calls += calls
    if (statusClass >= 4) sum.failed += calls
    sums.set(key, sum)
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

/** Deletes old hours, from time to time. Several instances may do so concurrently. */
export const startV1HourRetention = (
  store: Pick<V1UsageStore, 'removeHoursBefore'>,
  clock: Clock,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } =>
  repeatEvery(
    HOUR_MS,
    () => {
      const now = clock.now()
      return store.removeHoursBefore(now - (now % DAY_MS) - (RETENTION_DAYS - 1) * DAY_MS)
    },
    onError,
  )

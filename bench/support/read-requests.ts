import type { HttpRequest } from './saturate.ts'
import { createRandom } from './random.ts'
import { DAY_MS, METRICS } from './residence.ts'
import type { Dataset } from './dataset.ts'

const HOUR_MS = 3_600_000

/** Enough that no request repeats within a round. */
const DISTINCT = 20_000

/** Hourly reads of 48 hours of any room and metric, all since an instant and closed. */
export function hourlyReadRequests(
  { residence, to, read }: Dataset,
  since: number,
  count = DISTINCT,
): HttpRequest[] {
  const dice = createRandom()
  const first = Math.ceil(since / HOUR_MS) * HOUR_MS
  const starts = Math.floor((to - first - 2 * DAY_MS) / HOUR_MS) + 1
  return Array.from({ length: count }, () => {
    const room = dice(residence.spaceUuids.length)
    const metric = METRICS[dice(METRICS.length)] ?? 'electricity'
    const from = first + dice(starts) * HOUR_MS
    return read({ room, metric, granularity: 'hourly', from, to: from + 2 * DAY_MS })
  })
}

export const millions = ({ readingCount }: Dataset): string =>
  `${(readingCount / 1e6).toPrecision(2)} million`

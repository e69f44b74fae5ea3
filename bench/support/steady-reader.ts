import type { Dataset } from './dataset.ts'
import { atFixedRate, createCaller, quantile } from './load.ts'
import { createRandom } from './random.ts'
import { DAY_MS, METRICS } from './residence.ts'

const HOUR_MS = 3_600_000

/** Reads the last 48 hours by the hour, of any room and metric, at a fixed rate, and measures the latency. */
export async function createReader(
  { installation, partner, residence, to, read }: Dataset,
  perSecond: number,
) {
  const caller = createCaller(installation.url, await installation.tokenFor(partner), residence.siteUuid)
  const dice = createRandom()
  const end = Math.floor(to / HOUR_MS) * HOUR_MS
  return {
    async p99Of(seconds: number): Promise<number> {
      const took: number[] = []
      await atFixedRate(perSecond, seconds * perSecond, async (_index, dueAt) => {
        const room = dice(residence.spaceUuids.length)
        const metric = METRICS[dice(METRICS.length)] ?? 'electricity'
        const { path } = read({ room, metric, granularity: 'hourly', from: end - 2 * DAY_MS, to: end })
        const { at } = await caller.call('GET', path, 200)
        took.push(at - dueAt)
      })
      return quantile(took, 0.99)
    },
    close: () => caller.close(),
  }
}

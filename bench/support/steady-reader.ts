import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Dataset } from './dataset.ts'
import { createRandom } from './random.ts'
import { DAY_MS, METRICS } from './residence.ts'

const HOUR_MS = 3_600_000

export interface ReaderOptions {
  url: string
  token: string
  siteUuid: string
  perSecond: number
}

/** Reads at a fixed rate in a separate thread, so that other work of the benchmark does not delay them. */
export interface SteadyReader {
  /** Reads these paths; the p99 of their latencies, each measured from when the read was due. */
  measureP99(paths: readonly string[]): Promise<number>
  close(): Promise<unknown>
}

export function startReader(options: ReaderOptions): SteadyReader {
  const worker = new Worker(new URL('reader-thread.ts', import.meta.url), { workerData: options })
  return {
    async measureP99(paths) {
      const measured = once(worker, 'message') as Promise<[number]>
      worker.postMessage(paths)
      const [p99] = await measured
      return p99
    },
    close: () => worker.terminate(),
  }
}

/** Reads the last 48 hours by the hour, of any room and metric, at a fixed rate. */
export async function createReader(
  { installation, partner, residence, to, read }: Dataset,
  perSecond: number,
) {
  const token = await installation.tokenFor(partner)
  const reader = startReader({ url: installation.url, token, siteUuid: residence.siteUuid, perSecond })
  const dice = createRandom()
  const end = Math.floor(to / HOUR_MS) * HOUR_MS
  const nextPath = (): string => {
    const room = dice(residence.spaceUuids.length)
    const metric = METRICS[dice(METRICS.length)] ?? 'electricity'
    return read({ room, metric, granularity: 'hourly', from: end - 2 * DAY_MS, to: end }).path
  }
  return {
    measureP99: (seconds: number): Promise<number> =>
      reader.measureP99(Array.from({ length: seconds * perSecond }, nextPath)),
    close: () => reader.close(),
  }
}

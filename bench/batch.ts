import { setTimeout as delay } from 'node:timers/promises'
import { isPostgres } from '../acceptance/support/servers/backend.ts'
import { startDemo } from '../acceptance/support/servers/installation.ts'
import { asArray, asString } from '../acceptance/support/json.ts'
import { atMost, type Benchmark, times } from './benchmark.ts'
import { median } from './support/rounds.ts'
import { readCpuSeconds, readResidentMb } from './support/usage.ts'

/** Share of the processor time of single reads that a batch may take; on PostgreSQL, round trips are saved as well. */
const MAX_SHARE = { embedded: 0.25, PostgreSQL: 0.15 }

/** Every series of the demo in one request, compared with a request for each of them. */
export const batch: Benchmark = {
  name: 'batch',
  about:
    'The series of all spaces and metrics of the demo over 24 hours by the hour, in as few requests as the number of metrics allows, compared with one request for each series. The ratio is of the server’s processor time.',
  async run({ isSmoke }) {
    const backend = isPostgres() ? 'PostgreSQL' : 'embedded'
    const demo = await startDemo()
    const { client, portico } = demo
    try {
      const spaces = await client.listAll('/spaces')
      const pairs = spaces.flatMap((space) =>
        asArray(space['metricTypes']).map(
          (metric) => [asString(space['spaceUuid']), asString(metric)] as const,
        ),
      )
      const metrics = [...new Set(pairs.map(([, metric]) => metric))]
      const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
      const range = `fromDateTime=${day(1)}&toDateTime=${day(0)}`
      const batches = Array.from(
        { length: Math.ceil(metrics.length / 8) },
        (_, index) =>
          `/aggregate/hourly?metricTypes=${metrics.slice(8 * index, 8 * index + 8).join()}&${range}`,
      )
      const singles = pairs.map(([space, metric]) => `/spaces/${space}/aggregate/${metric}/hourly?${range}`)
      const headers = {
        authorization: `Bearer ${client.token}`,
        siteid: client.siteId,
        'accept-encoding': 'identity',
      }
      const read = async (path: string, encoding = 'identity'): Promise<number> => {
        const response = await fetch(`${portico.origin}/v2${path}`, {
          headers: { ...headers, 'accept-encoding': encoding },
        })
        const body = await response.arrayBuffer()
        if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
        return Number(response.headers.get('content-length') ?? body.byteLength)
      }
      const readAll = async (paths: readonly string[], count: number): Promise<number> => {
        const before = readCpuSeconds(portico.pid)
        for (let round = 0; round < count; round += 1) for (const path of paths) await read(path)
        return (readCpuSeconds(portico.pid) - before) / count
      }
      await readAll(singles, 2)
      await readAll(batches, 20)
      const ratios: number[] = []
      let [batchMs, singleMs] = [0, 0]
      for (let round = 0; round < (isSmoke ? 1 : 5); round += 1) {
        const single = await readAll(singles, isSmoke ? 1 : 6)
        const own = await readAll(batches, isSmoke ? 10 : 60)
        ratios.push(own / single)
        ;[batchMs, singleMs] = [own * 1000, single * 1000]
      }
      const share = median(ratios)
      const base = readResidentMb(portico.pid)
      let most = base
      const large = `/aggregate/hourly?metricTypes=${metrics.slice(0, 8).join()}&interval=PT15M&fromDateTime=${day(31)}&toDateTime=${day(0)}`
      for (let round = 0; round < 3; round += 1) {
        const reading = read(large)
        const progress = { isDone: false }
        void reading.finally(() => (progress.isDone = true))
        while (!progress.isDone) {
          most = Math.max(most, readResidentMb(portico.pid))
          await delay(20)
        }
        await reading
      }
      return [
        {
          label: `${pairs.length} series in ${batches.length} requests, over single reads (${backend})`,
          value: times(share),
          ...atMost(MAX_SHARE[backend], share),
          detail: `${batchMs.toFixed(1)} ms of CPU against ${singleMs.toFixed(1)} ms`,
        },
        {
          label: 'resident memory during a page of 100,000 points, above the server before',
          value: `${Math.round(most - base)} MB`,
          ...atMost(30, Math.max(1, most - base), ' MB'),
        },
      ]
    } finally {
      await demo.stop()
    }
  },
}

import { atMost, type Benchmark, type Row, times } from './benchmark.ts'
import { flood } from './support/flood.ts'
import { type LoadResult, saturate, type HttpRequest } from './support/saturate.ts'
import { hourlyReadRequests } from './support/read-requests.ts'
import { refusedRequests } from './support/refused-requests.ts'
import { DAY_MS } from './support/residence.ts'
import { toRatio } from './support/ratio.ts'
import { runInterleaved, roundsFor } from './support/rounds.ts'
import { formatMeasurement, formatRatio } from './support/format.ts'
import { startReader } from './support/steady-reader.ts'
import type { Dataset } from './support/dataset.ts'

const READS_PER_SECOND = 100
/** Share of the server's full-load rate for refused requests: a rate that it can sustain without a growing queue. */
const FLOOD_SHARE = 0.4

export const refusals: Benchmark = {
  name: 'refusals',
  about: `The server's processor time for a refused request, relative to a GET of 48 hours by the hour; and the latency of ${READS_PER_SECOND} such reads a second by one partner while refused requests of every kind arrive at ${FLOOD_SHARE * 100} % of the rate that the server can answer. The flood is generated on the same machine.`,
  async run({ isSmoke, year: shared }) {
    const year = await shared.get()
    const refused = refusedRequests(year)
    const reads = hourlyReadRequests(year, year.to - 3 * DAY_MS, isSmoke ? 100 : 20_000)
    return [...(await costs(year, reads, refused, isSmoke)), await duringFlood(year, reads, refused, isSmoke)]
  },
}

async function costs(
  { installation: { url, pid } }: Dataset,
  reads: readonly HttpRequest[],
  refused: Record<string, HttpRequest[]>,
  isSmoke: boolean,
): Promise<Row[]> {
  const options = roundsFor(isSmoke)
  const contenders = Object.entries(refused).map(([kind, requests]) => [
    kind,
    { url, pid, requests, areRefused: true },
  ])
  const performed = await runInterleaved(
    { read: { url, pid, requests: reads }, ...Object.fromEntries(contenders) },
    options,
  )
  const { read } = performed
  if (!read) throw new Error('No reads were measured.')
  return Object.keys(refused).map((kind) => {
    const one = performed[kind] ?? read
    return {
      label: `${kind}, relative to a read`,
      value: formatRatio(toRatio(read.perCpuSecond, one.perCpuSecond)),
      detail: `${formatMeasurement(one)}; a read ${formatMeasurement(read)}`,
    }
  })
}

async function duringFlood(
  { installation, partner, residence }: Dataset,
  reads: readonly HttpRequest[],
  refused: Record<string, HttpRequest[]>,
  isSmoke: boolean,
): Promise<Row> {
  const { url } = installation
  const mixed = Array.from({ length: 50 }, (_, index) =>
    Object.values(refused).flatMap((requests) => requests[index % requests.length] ?? []),
  ).flat()
  const { count, seconds }: LoadResult = await saturate(url, mixed, isSmoke ? 1 : 5, true)
  const perSecond = Math.ceil((count / seconds) * FLOOD_SHARE)
  const duration = isSmoke ? 1 : 20
  const token = await installation.tokenFor(partner)
  const reader = startReader({ url, token, siteUuid: residence.siteUuid, perSecond: READS_PER_SECOND })
  const paths = Array.from(
    { length: READS_PER_SECOND * duration },
    (_, index) => reads[index % reads.length]?.path ?? '',
  )
  const measure = (): Promise<number> => reader.measureP99(paths)
  try {
    await measure()
    const quietMs = await measure()
    const flooding = flood({ url, requests: mixed, perSecond, seconds: duration + 1, connections: 16 })
    const floodedMs = await measure()
    const floodedPerSecond = await flooding
    const ratio = floodedMs / quietMs
    return {
      label: `p99 of a read during ${Math.round(floodedPerSecond).toLocaleString('en')} refused requests a second, relative to its p99 without them`,
      value: `${times(ratio)} (${floodedMs.toFixed(1)} ms over ${quietMs.toFixed(1)} ms)`,
      ...atMost(3, ratio),
    }
  } finally {
    await reader.close()
  }
}

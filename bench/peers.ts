import { atLeast, type Benchmark, type Row } from './benchmark.ts'
import { influxDb } from './contenders/peers/influxdb.ts'
import type { Peer, PeerKind, PeerQuery } from './contenders/peers/peer.ts'
import { victoriaMetrics } from './contenders/peers/victoria-metrics.ts'
import { fillPeer } from './support/fill-peer.ts'
import { withTempFolder } from './support/temp-folder.ts'
import { createRandom } from './support/random.ts'
import { DAY_MS, METRICS } from './support/residence.ts'
import { toRatio } from './support/ratio.ts'
import { runInterleaved, type RoundOptions, roundsFor } from './support/rounds.ts'
import { send } from './support/send.ts'
import { formatMeasurement, formatRatio } from './support/format.ts'
import type { Dataset } from './support/dataset.ts'

/** The peers hold this many rooms; Portico is queried for the same rooms among all of its own. */
const ROOMS = 20
const DISTINCT = 5_000

interface Comparison {
  label: string
  step: PeerQuery['step']
  days: number
  target: number
}

const HOURS: Omit<Comparison, 'target'> = { label: '48 hours by the hour', step: 'hour', days: 2 }
const DAYS: Omit<Comparison, 'target'> = { label: '365 days by the day', step: 'day', days: 365 }

const PEERS: readonly [PeerKind, readonly Comparison[]][] = [
  [
    victoriaMetrics,
    [
      { ...HOURS, target: 1.7 },
      { ...DAYS, target: 1.5 },
    ],
  ],
  [influxDb, [{ ...HOURS, target: 3.5 }]],
]

export const peers: Benchmark = {
  name: 'peers',
  about:
    'The same windows of the same readings from time-series databases as packaged by Debian, without authentication; random rooms, metrics and times, so that nothing is cached. Ratios are of requests per second of the server’s processor time.',
  async run({ isSmoke, year: shared }) {
    const there = PEERS.filter(([{ isThere }]) => isThere())
    const year = await shared.get()
    const rows: Row[] = []
    for (const [kind, comparisons] of there) {
      await withTempFolder(async (folder) => {
        const peer = await kind.start(folder)
        try {
          await fillPeer(peer, year, ROOMS)
          for (const comparison of comparisons)
            rows.push(await compare(kind.name, peer, year, comparison, roundsFor(isSmoke)))
        } finally {
          await peer.stop()
        }
      })
    }
    const missing = PEERS.filter(([{ isThere }]) => !isThere())
    return [...rows, ...missing.map(([{ name }]) => ({ label: `over ${name}`, value: 'not installed here' }))]
  },
}

async function compare(
  name: string,
  peer: Peer,
  year: Dataset,
  { label, step, days, target }: Comparison,
  options: RoundOptions,
): Promise<Row> {
  const dice = createRandom()
  const length = Math.min(days * DAY_MS, year.to - year.from - DAY_MS)
  const queries = Array.from({ length: DISTINCT }, (): PeerQuery => {
    const from = Math.ceil(year.from / DAY_MS) * DAY_MS
    const start = from + dice(1 + Math.floor((year.to - from - length) / DAY_MS)) * DAY_MS
    const metric = METRICS[dice(METRICS.length)] ?? 'electricity'
    return {
      room: dice(Math.min(ROOMS, year.residence.spaceUuids.length)),
      metric,
      from: start,
      to: start + length,
      step,
    }
  })
  const own = queries.map(({ step: unit, ...query }) =>
    year.read({ ...query, granularity: unit === 'hour' ? 'hourly' : 'daily' }),
  )
  const theirs = queries.map((query) => peer.read(query))
  await isAnswered(peer, theirs[0])
  const performed = await runInterleaved(
    { own: { ...year.installation, requests: own }, theirs: { ...peer, requests: theirs } },
    options,
  )
  const ratio = toRatio(performed.own.perCpuSecond, performed.theirs.perCpuSecond)
  return {
    label: `${label}, over ${name}`,
    value: formatRatio(ratio),
    ...atLeast(target, ratio.value),
    detail: `Portico ${formatMeasurement(performed.own)}; ${name} ${formatMeasurement(performed.theirs)}`,
  }
}

/** A response without values would be fast. */
async function isAnswered(peer: Peer, request: Parameters<typeof send>[1] | undefined): Promise<void> {
  const answer = request ? await send(peer.url, request) : ''
  if (!/\[\d+,"?\d/.test(answer)) throw new Error(`nothing to compare with: ${answer}`)
}

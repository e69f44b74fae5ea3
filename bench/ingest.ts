import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { atLeast, type Benchmark, type Row } from './benchmark.ts'
import { influxDb } from './contenders/peers/influxdb.ts'
import { deliver } from './support/deliver.ts'
import { formatRatio } from './support/format.ts'
import { startInstallation } from './support/installation.ts'
import { median, toRatio } from './support/ratio.ts'
import {
  DAY_MS,
  generateValues,
  makeResidence,
  METRICS,
  type Residence,
  type RoomReading,
  STEP_MS,
} from './support/residence.ts'
import { PRECISION, type RoundOptions, roundsFor } from './support/rounds.ts'
import type { HttpRequest } from './support/saturate.ts'
import { send } from './support/send.ts'
import { withTempFolder } from './support/temp-folder.ts'
import { readCpuSeconds, untilIdle } from './support/usage.ts'

export const ingest: Benchmark = {
  name: 'ingest',
  about:
    'Half-hourly readings of past days, delivered in order; each delivery is durable when it is acknowledged. A round is three days of all series, enough for one compaction of the journal, after a round to warm up. Processor time is measured until the server is idle again, and includes packing and rollups here and compaction there.',
  run: ({ isSmoke }) =>
    withTempFolder(async (folder) => {
      const days = makeDays(isSmoke ? 5 : 500)
      for (const name of ['portico', 'influxdb']) mkdirSync(join(folder, name))
      const installation = await startInstallation(join(folder, 'portico'))
      const peer = influxDb.isThere() ? await influxDb.start(join(folder, 'influxdb')) : undefined
      try {
        await installation.applyInventory(days.residence.document)
        const own: Contender = {
          ...installation,
          toRequest: (one) => deliver(installation, days.residence, one),
        }
        return [await compare(own, peer && { ...peer, toRequest: peer.write }, days, roundsFor(isSmoke))]
      } finally {
        await peer?.stop()
        await installation.stop()
      }
    }),
}

/** A server that stores readings. */
interface Contender {
  url: string
  pid: number
  toRequest(readings: readonly RoomReading[]): HttpRequest
}

/** Alternates between the servers until the ratio is known precisely. */
async function compare(
  own: Contender,
  peer: Contender | undefined,
  { next }: Days,
  { rounds, maxRounds }: RoundOptions,
): Promise<Row> {
  const label = 'readings stored over HTTP, over InfluxDB’s line protocol'
  const [ours, theirs]: [number[], number[]] = [[], []]
  const warmUp = next()
  await perCpuSecond(own, warmUp)
  if (!peer) {
    ours.push(await perCpuSecond(own, next()))
    return { label, value: 'InfluxDB is not installed here', detail: toDetail('Portico', ours) }
  }
  await perCpuSecond(peer, warmUp)
  for (
    let round = 0;
    round < rounds || (round < maxRounds && toRatio(ours, theirs).precision > PRECISION);
    round += 1
  ) {
    const days = next()
    const measureOwn = async (): Promise<number> => ours.push(await perCpuSecond(own, days))
    const measurePeer = async (): Promise<number> => theirs.push(await perCpuSecond(peer, days))
    for (const measure of round % 2 === 0 ? [measureOwn, measurePeer] : [measurePeer, measureOwn])
      await measure()
  }
  const ratio = toRatio(ours, theirs)
  return {
    label,
    value: formatRatio(ratio),
    ...atLeast(1, ratio.value),
    detail: `${toDetail('Portico', ours)}; ${toDetail('InfluxDB', theirs)}`,
  }
}

const toDetail = (name: string, perSecond: readonly number[]): string =>
  `${name} ${Math.round(median(perSecond) / 1000)} thousand readings a second of CPU`

/** Stores readings until the server is idle again. */
async function perCpuSecond(
  { url, pid, toRequest }: Contender,
  deliveries: readonly RoomReading[][],
): Promise<number> {
  await untilIdle(pid)
  const before = readCpuSeconds(pid)
  let count = 0
  for (const readings of deliveries) {
    await send(url, toRequest(readings))
    count += readings.length
  }
  await untilIdle(pid)
  return count / (readCpuSeconds(pid) - before)
}

interface Days {
  residence: Residence
  /** The readings of the next round: those of all series at one instant, then at the next. */
  next(): RoomReading[][]
}

const DAYS_A_ROUND = 3
const STEPS_A_ROUND = (DAYS_A_ROUND * DAY_MS) / STEP_MS
/** One to warm up, and as many as `roundsFor` allows. */
const MAX_ROUNDS = 14

function makeDays(rooms: number): Days {
  const residence = makeResidence(rooms)
  const series = Array.from({ length: rooms }, (_, room) =>
    METRICS.map((metric) => ({
      room,
      metric,
      values: generateValues(metric, room, MAX_ROUNDS * STEPS_A_ROUND),
    })),
  ).flat()
  const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - MAX_ROUNDS * DAYS_A_ROUND * DAY_MS
  let done = 0
  return {
    residence,
    next() {
      const from = done
      done += STEPS_A_ROUND
      return Array.from({ length: STEPS_A_ROUND }, (_, step) =>
        series.map(({ room, metric, values }) => ({
          room,
          metric,
          at: start + (from + step) * STEP_MS,
          value: values[from + step] ?? 0,
        })),
      )
    },
  }
}

import { atLeast, type Benchmark } from './benchmark.ts'
import { influxDb } from './contenders/peers/influxdb.ts'
import { deliver } from './support/deliver.ts'
import type { HttpRequest } from './support/saturate.ts'
import { withTempFolder } from './support/temp-folder.ts'
import { startInstallation } from './support/installation.ts'
import {
  DAY_MS,
  makeResidence,
  METRICS,
  STEP_MS,
  generateValues,
  type RoomReading,
} from './support/residence.ts'
import { send } from './support/send.ts'
import { readCpuSeconds, untilIdle } from './support/usage.ts'

export const ingest: Benchmark = {
  name: 'ingest',
  about:
    'Half-hourly readings of past days, delivered in order; each delivery is durable when it is acknowledged. Processor time is measured until the server is idle again, and includes packing and rollups here and compaction there.',
  async run({ isSmoke }) {
    const [rooms, days] = isSmoke ? [5, 1] : [500, 5]
    const own = await ownPerCpuSecond(rooms, days)
    const label = 'readings stored over HTTP, over InfluxDB’s line protocol'
    if (!influxDb.isThere()) return [{ label, value: 'InfluxDB is not installed here', detail: portico(own) }]
    const theirs = await theirsPerCpuSecond(rooms, days)
    return [
      {
        label,
        value: (own / theirs).toFixed(2),
        ...atLeast(1, own / theirs),
        detail: `${portico(own)}; InfluxDB ${thousands(theirs)}`,
      },
    ]
  },
}

const thousands = (perCpuSecond: number): string =>
  `${Math.round(perCpuSecond / 1000)} thousand readings a second of CPU`

const portico = (perCpuSecond: number): string => `Portico ${thousands(perCpuSecond)}`

const ownPerCpuSecond = (rooms: number, days: number): Promise<number> =>
  withTempFolder(async (folder) => {
    const residence = makeResidence(rooms)
    const installation = await startInstallation(folder)
    try {
      await installation.applyInventory(residence.document)
      return await perCpuSecond(installation, deliveries(rooms, days), (one) =>
        deliver(installation, residence, one),
      )
    } finally {
      await installation.stop()
    }
  })

const theirsPerCpuSecond = (rooms: number, days: number): Promise<number> =>
  withTempFolder(async (folder) => {
    const peer = await influxDb.start(folder)
    try {
      return await perCpuSecond(peer, deliveries(rooms, days), peer.write)
    } finally {
      await peer.stop()
    }
  })

async function perCpuSecond(
  { url, pid }: { url: string; pid: number },
  all: Iterable<readonly RoomReading[]>,
  toRequest: (readings: readonly RoomReading[]) => HttpRequest,
): Promise<number> {
  await untilIdle(pid)
  const before = readCpuSeconds(pid)
  let count = 0
  for (const readings of all) {
    await send(url, toRequest(readings))
    count += readings.length
  }
  await untilIdle(pid)
  return count / (readCpuSeconds(pid) - before)
}

/** Readings of all series at one instant, then at the next. */
function* deliveries(rooms: number, days: number): Generator<RoomReading[]> {
  const count = (days * DAY_MS) / STEP_MS
  const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - (days + 1) * DAY_MS
  const series = Array.from({ length: rooms }, (_, room) =>
    METRICS.map((metric) => ({ room, metric, values: generateValues(metric, room, count) })),
  ).flat()
  for (let index = 0; index < count; index += 1)
    yield series.map(({ room, metric, values }) => ({
      room,
      metric,
      at: start + index * STEP_MS,
      value: values[index] ?? 0,
    }))
}

import { atMost, type Benchmark } from './benchmark.ts'
import { deliver } from './support/deliver.ts'
import { atFixedRate } from './support/load.ts'
import { CLIMATE, type RoomReading } from './support/residence.ts'
import { median } from './support/rounds.ts'
import { send } from './support/send.ts'
import { createReader } from './support/steady-reader.ts'
import type { Dataset } from './support/dataset.ts'

const READS_A_SECOND = 200
const READINGS_A_SECOND = 20_000
const DELIVERIES_A_SECOND = 10

export const mixed: Benchmark = {
  name: 'mixed',
  about: `${READS_A_SECOND} reads per second of the last 48 hours by the hour, alone and while ${READINGS_A_SECOND.toLocaleString('en')} readings per second arrive. Requests are sent at a fixed rate, and latency is measured from the time at which a request was due.`,
  async run({ isSmoke, year: shared }) {
    const year = await shared.get()
    const [rounds, seconds] = isSmoke ? [1, 1] : [5, 10]
    const reader = await createReader(year, READS_A_SECOND)
    const arriving = createDeliveries(year)
    const alone: number[] = []
    const beside: number[] = []
    try {
      await reader.p99Of(seconds)
      for (let round = 0; round < rounds; round += 1) {
        alone.push(await reader.p99Of(seconds))
        const bodies = Array.from({ length: seconds * DELIVERIES_A_SECOND }, arriving)
        const [p99] = await Promise.all([
          reader.p99Of(seconds),
          atFixedRate(DELIVERIES_A_SECOND, bodies.length, async (index) => {
            const body = bodies[index]
            if (body) await send(year.installation.url, body)
          }),
        ])
        beside.push(p99)
      }
    } finally {
      reader.close()
    }
    const ratio = median(beside) / median(alone)
    return [
      {
        label: 'p99 of reads while readings arrive, over p99 without',
        value: ratio.toFixed(2),
        ...atMost(2, ratio),
        detail: `${median(beside).toFixed(1)} ms against ${median(alone).toFixed(1)} ms`,
      },
    ]
  },
}

/** New readings of every sensor, one after another, each a second after its previous one. */
function createDeliveries({ installation, residence, to }: Dataset) {
  const count = residence.spaceUuids.length
  let next = 0
  return () => {
    const readings = Array.from({ length: READINGS_A_SECOND / DELIVERIES_A_SECOND }, (): RoomReading => {
      const place = next++
      const series = place % (count * CLIMATE.length)
      const at = to + Math.floor(place / (count * CLIMATE.length)) * 1000
      const metric = CLIMATE[series % CLIMATE.length] ?? 'temperature'
      return { room: Math.floor(series / CLIMATE.length), metric, at, value: 20 + (place % 50) / 10 }
    })
    return deliver(installation, residence, readings)
  }
}

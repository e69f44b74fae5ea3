import { connect } from 'mqtt'
import { atMost, type Benchmark, type Row } from './benchmark.ts'
import { deliver } from './support/deliver.ts'
import { atFixedRate } from './support/load.ts'
import { CLIMATE, type RoomReading } from './support/residence.ts'
import { median } from './support/ratio.ts'
import { send } from './support/send.ts'
import { createReader } from './support/steady-reader.ts'
import type { Dataset } from './support/dataset.ts'

const READS_A_SECOND = 200
const READINGS_A_SECOND = 20_000
const DELIVERIES_A_SECOND = 10
/** Instants in a message of a sensor over MQTT; each has a reading of every metric. */
const INSTANTS_A_MESSAGE = 5

/** A way in which readings arrive. Resolves when they are durable. */
interface Channel {
  name: string
  deliver(readings: readonly RoomReading[]): Promise<unknown>
  close(): Promise<unknown>
}

export const mixed: Benchmark = {
  name: 'mixed',
  about: `${READS_A_SECOND} reads per second of the last 48 hours by the hour, alone and while ${READINGS_A_SECOND.toLocaleString('en')} readings per second arrive, over HTTP or in messages of ${INSTANTS_A_MESSAGE * CLIMATE.length} readings over MQTT. Requests are sent at a fixed rate, and latency is measured from the time at which a request was due.`,
  async run({ isSmoke, year: shared }) {
    const year = await shared.get()
    const [rounds, seconds] = isSmoke ? [1, 1] : [5, 10]
    const reader = await createReader(year, READS_A_SECOND)
    const nextReadings = createReadings(year)
    const channels = [overHttp(year), await overMqtt(year)]
    const alone: number[] = []
    const beside = channels.map((channel) => ({ channel, p99s: [] as number[] }))
    try {
      await reader.measureP99(seconds)
      for (let round = 0; round < rounds; round += 1) {
        alone.push(await reader.measureP99(seconds))
        for (const { channel, p99s } of beside) {
          const deliveries = Array.from({ length: seconds * DELIVERIES_A_SECOND }, nextReadings)
          const [p99] = await Promise.all([
            reader.measureP99(seconds),
            atFixedRate(DELIVERIES_A_SECOND, deliveries.length, async (index) => {
              await channel.deliver(deliveries[index] ?? [])
            }),
          ])
          p99s.push(p99)
        }
      }
    } finally {
      await reader.close()
      await Promise.all(channels.map((channel) => channel.close()))
    }
    return beside.map(({ channel, p99s }): Row => {
      const ratio = median(p99s) / median(alone)
      return {
        label: `p99 of reads while readings arrive over ${channel.name}, over p99 without`,
        value: ratio.toFixed(2),
        ...atMost(2, ratio),
        detail: `${median(p99s).toFixed(1)} ms against ${median(alone).toFixed(1)} ms`,
      }
    })
  },
}

const overHttp = ({ installation, residence }: Dataset): Channel => ({
  name: 'HTTP',
  deliver: (readings) => send(installation.url, deliver(installation, residence, readings)),
  close: async () => {},
})

/** One gateway sends the messages of all sensors. */
async function overMqtt({ installation, residence }: Dataset): Promise<Channel> {
  const { siteUuid, sensorUuids } = residence
  const client = connect(installation.mqttUrl, await installation.addGateway(siteUuid))
  const toMessage = (room: number, readings: readonly RoomReading[]): Promise<unknown> =>
    client.publishAsync(
      `portico/v1/${siteUuid}/${sensorUuids[room]}/readings`,
      JSON.stringify({
        readings: readings.map(({ metric, at, value }) => ({
          metricType: metric,
          timestamp: new Date(at).toISOString(),
          value,
        })),
      }),
      { qos: 1 },
    )
  return {
    name: 'MQTT',
    deliver: (readings) =>
      Promise.all(
        [...Map.groupBy(readings, ({ room }) => room)].map(([room, ofRoom]) => toMessage(room, ofRoom)),
      ),
    close: () => client.endAsync(),
  }
}

/** New readings of every sensor, in turn; each a second after its previous one. */
function createReadings({ residence, to }: Dataset) {
  const count = residence.spaceUuids.length
  const perMessage = CLIMATE.length * INSTANTS_A_MESSAGE
  let next = 0
  return () =>
    Array.from({ length: READINGS_A_SECOND / DELIVERIES_A_SECOND }, (): RoomReading => {
      const place = next++
      const message = Math.floor(place / perMessage)
      const instant =
        Math.floor(message / count) * INSTANTS_A_MESSAGE + Math.floor((place % perMessage) / CLIMATE.length)
      const metric = CLIMATE[place % CLIMATE.length] ?? 'temperature'
      return { room: message % count, metric, at: to + instant * 1000, value: 20 + (place % 50) / 10 }
    })
}

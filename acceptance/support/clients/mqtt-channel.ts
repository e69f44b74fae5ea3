import type { Installation } from '../servers/installation.ts'
import { type Account, connectDevice } from './mqtt.ts'
import type { ReadingRecord, IngestChannel } from './ingest-channels.ts'

const READINGS_IN_A_MESSAGE = 200

/** A gateway connects, publishes and disconnects; resolves when the broker has acknowledged every message. */
export const mqttChannel = (
  { portico }: Pick<Installation, 'portico'>,
  siteUuid: string,
  account: Account,
): IngestChannel => ({
  name: 'MQTT',
  async send(readings) {
    const gateway = await connectDevice(portico.mqttUrl, account)
    const sent = splitIntoMessages(readings).map((message) => {
      const topic = `portico/v1/${siteUuid}/${message[0]?.deviceUuid}/readings`
      const payload = message.map(({ metricType, timestamp, value }) => ({ metricType, timestamp, value }))
      return gateway.publish(topic, JSON.stringify({ readings: payload }))
    })
    await Promise.all(sent)
    await gateway.end()
    return undefined
  },
})

/** Groups consecutive readings of one device, in the order in which they are sent. */
function splitIntoMessages(readings: readonly ReadingRecord[]): ReadingRecord[][] {
  const messages: ReadingRecord[][] = []
  for (const reading of readings) {
    const last = messages.at(-1)
    if (last?.[0]?.deviceUuid === reading.deviceUuid && last.length < READINGS_IN_A_MESSAGE)
      last.push(reading)
    else messages.push([reading])
  }
  return messages
}

import type { Inventory } from '@portico/wire/operator/inventory'
import { numberAt } from '@portico/server/kernel/at'
import { isoInstant } from '@portico/server/kernel/clock'
import { toTopic } from '@portico/server/mqtt/topics'
import type { UpcomingReadings } from './upcoming-readings.ts'

type Publish = (topic: string, payload: string) => Promise<unknown>

/** Readings per message: a device that was away for a long time sends several messages. */
const MAX_IN_MESSAGE = 1_000

/** Readings of a site's devices from an instant on, sent every half hour. */
export interface LiveReadings {
  /**
   * Sends the readings measured since the last call; they count as sent only if all of them were acknowledged. A
   * device that is silent buffers its readings.
   */
  send(now: number, publish: Publish, isSilent: (deviceUuid: string) => boolean): Promise<void>
}

export function createLiveReadings(
  inventory: Inventory,
  since: number,
  comingReadings: UpcomingReadings,
): LiveReadings {
  const { siteUuid } = inventory.site
  const publishedUpTo = new Map(inventory.devices.map(({ deviceUuid }) => [deviceUuid, since]))
  return {
    async send(now, publish, isSilent) {
      const speaking = new Map([...publishedUpTo].filter(([deviceUuid]) => !isSilent(deviceUuid)))
      const messages = [...(await byDevice(comingReadings, speaking, now))].flatMap(
        ([deviceUuid, readings]) =>
          inParts(readings).map((part): [string, string] => [
            toTopic('readings', siteUuid, deviceUuid),
            JSON.stringify({ readings: part }),
          ]),
      )
      await Promise.all(messages.map(([topic, payload]) => publish(topic, payload)))
      for (const deviceUuid of speaking.keys()) publishedUpTo.set(deviceUuid, now)
    },
  }
}

interface Reading {
  metricType: string
  timestamp: string
  value: number
}

async function byDevice(
  comingReadings: UpcomingReadings,
  publishedUpTo: ReadonlyMap<string, number>,
  now: number,
): Promise<Map<string, Reading[]>> {
  const devices = new Map<string, Reading[]>()
  const from = Math.min(now, ...publishedUpTo.values())
  for (const { deviceUuid, metricType, timestamps, values } of await comingReadings({ from, to: now })) {
    const own = publishedUpTo.get(deviceUuid)
    const first = own === undefined ? -1 : timestamps.findIndex((at) => at >= own)
    if (first === -1) continue
    const readings = devices.get(deviceUuid) ?? []
    devices.set(deviceUuid, readings)
    for (let index = first; index < timestamps.length; index += 1) {
      readings.push({
        metricType,
        timestamp: isoInstant(numberAt(timestamps, index)),
        value: numberAt(values, index),
      })
    }
  }
  return devices
}

const inParts = (readings: Reading[]): Reading[][] =>
  Array.from({ length: Math.ceil(readings.length / MAX_IN_MESSAGE) }, (_, index) =>
    readings.slice(index * MAX_IN_MESSAGE, (index + 1) * MAX_IN_MESSAGE),
  )

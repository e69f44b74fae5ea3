import type { Inventory } from '@portico/wire/operator/inventory'
import { isoInstant } from '../../lib/clock.ts'
import { topicOf } from '../../mqtt/topics.ts'
import { demoHistory } from '../content/index.ts'

type Publish = (topic: string, payload: string) => Promise<void>

/** Readings in one message: a device that was away for long says it in several. */
const MAX_IN_MESSAGE = 1_000

/** What the devices of a site measure from an instant on, each half hour as it passes. */
export interface LiveReadings {
  /** Sends what was measured since the last time, and takes it as said only when all of it was acknowledged. */
  send(now: number, publish: Publish): Promise<void>
}

export function createLiveReadings(inventory: Inventory, since: number): LiveReadings {
  const { siteUuid } = inventory.site
  let saidUpTo = since
  return {
    async send(now, publish) {
      const messages = [...byDevice(inventory, { from: saidUpTo, to: now })].flatMap(
        ([deviceUuid, readings]) =>
          inParts(readings).map((part): [string, string] => [
            topicOf('readings', siteUuid, deviceUuid),
            JSON.stringify({ readings: part }),
          ]),
      )
      await Promise.all(messages.map(([topic, payload]) => publish(topic, payload)))
      saidUpTo = now
    },
  }
}

interface Reading {
  metricType: string
  timestamp: string
  value: number
}

function byDevice(inventory: Inventory, range: { from: number; to: number }): Map<string, Reading[]> {
  const devices = new Map<string, Reading[]>()
  for (const { deviceUuid, metricType, timestamps, values } of demoHistory(inventory, range)) {
    if (timestamps.length === 0) continue
    const readings = devices.get(deviceUuid) ?? []
    devices.set(deviceUuid, readings)
    timestamps.forEach((at, index) => {
      readings.push({ metricType, timestamp: isoInstant(at), value: values[index] ?? 0 })
    })
  }
  return devices
}

const inParts = (readings: Reading[]): Reading[][] =>
  Array.from({ length: Math.ceil(readings.length / MAX_IN_MESSAGE) }, (_, index) =>
    readings.slice(index * MAX_IN_MESSAGE, (index + 1) * MAX_IN_MESSAGE),
  )

import { setTimeout as sleep } from 'node:timers/promises'
import { toReadingsPayload } from '../clients/mqtt.ts'
import type { MqttSite } from '../fixtures/mqtt-site.ts'
import { waitedForMachineMs } from './machine-wait.ts'

const PUBLISH_EVERY_MS = 50

export interface GatewayWatch {
  /**
   * Ends the observation. Returns how many readings were acknowledged and the longest time that took, without machine
   * waits.
   */
  stop(): Promise<{ count: number; maxMs: number }>
}

/** A well-behaved gateway: publishes a reading every 50 ms at QoS 1. Fails the test if one is not acknowledged. */
export async function watchGateway(site: MqttSite): Promise<GatewayWatch> {
  const { portico } = site.installation
  const gateway = await site.connect()
  // Each unacknowledged message adds a listener for the end of the connection.
  gateway.client.setMaxListeners(0)
  const topic = site.topic(site.house.meter, 'readings')
  const latencies: number[] = []
  const pending: Promise<void>[] = []
  const stopping = new AbortController()
  const publish = async (second: number): Promise<void> => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
    const startedAt = performance.now()
    const waitedBeforeMs = waitedForMachineMs(portico)
    await gateway.publish(topic, toReadingsPayload(['electricity', timestamp, second]))
    const waitedMs = waitedForMachineMs(portico) - waitedBeforeMs
    latencies.push(Math.max(0, performance.now() - startedAt - waitedMs))
  }
  const publishing = (async () => {
    for (let second = 0; !stopping.signal.aborted; second += 1) {
      pending.push(publish(second))
      await sleep(PUBLISH_EVERY_MS)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await publishing
      await Promise.all(pending)
      if (gateway.client.connected) await gateway.end()
      return { count: latencies.length, maxMs: Math.max(...latencies) }
    },
  }
}

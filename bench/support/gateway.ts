import { setTimeout as delay } from 'node:timers/promises'
import { connect } from 'mqtt'
import type { ValveSite } from './valves.ts'

const ARRIVED_WITHIN_MS = 120_000

/** The devices of a site behind one connection. */
export interface Gateway {
  /**
   * Waits for commands; resolves with each one's first arrival at its device, in milliseconds of `performance.now()`.
   */
  waitForArrivals(commandUuids: readonly string[]): Promise<number[]>
  end(): Promise<void>
}

/** Connects; publishes each device's presence, and reports each command as delivered and confirmed immediately. */
export async function connectGateway(
  url: string,
  account: { username: string; password: string },
  { siteUuid, deviceUuids }: ValveSite,
): Promise<Gateway> {
  const client = connect(url, account)
  const arrivals = new Map<string, number>()
  // The client reconnects automatically when the broker is down.
  client.on('error', () => {})
  const greet = async (): Promise<void> => {
    await client.subscribeAsync(`portico/v1/${siteUuid}/+/commands`, { qos: 1 })
    const topics = deviceUuids.map((deviceUuid) => `portico/v1/${siteUuid}/${deviceUuid}/presence`)
    await Promise.all(topics.map((topic) => client.publishAsync(topic, 'online', { qos: 1, retain: true })))
  }
  const greeted = new Promise<void>((resolve) => {
    // A lost connection is replaced by another.
    client.on('connect', () => void greet().then(resolve, () => {}))
  })
  client.on('message', (topic, payload) => {
    const at = performance.now()
    const { commandUuid } = JSON.parse(payload.toString()) as { commandUuid: string }
    if (!arrivals.has(commandUuid)) arrivals.set(commandUuid, at)
    const timestamp = new Date().toISOString()
    for (const status of ['delivered', 'confirmed'])
      client.publish(`${topic}/${commandUuid}/status`, JSON.stringify({ status, timestamp }), { qos: 1 })
  })
  await greeted
  return {
    async waitForArrivals(commandUuids) {
      const missing = (): number => commandUuids.filter((uuid) => !arrivals.has(uuid)).length
      for (const deadline = Date.now() + ARRIVED_WITHIN_MS; missing() > 0; await delay(100))
        if (Date.now() > deadline)
          throw new Error(`${missing()} of ${commandUuids.length} commands did not arrive`)
      return commandUuids.flatMap((uuid) => arrivals.get(uuid) ?? [])
    },
    end: () => client.endAsync(true),
  }
}

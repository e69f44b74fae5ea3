import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { type Connection, openConnection } from '../../mqtt/connection.ts'
import { topicOf } from '../../mqtt/topics.ts'
import { createLiveReadings } from './live-readings.ts'
import type { DemoGateway } from './simulator.ts'

const LOOK_EVERY_MS = 5_000

/** One gateway: its connection, its presence, and the readings of the devices behind it. */
export function startSimulatedGateway(
  { inventory, gatewayUuid, since, address }: DemoGateway,
  { clock, log }: { clock: Clock; log: Log },
): { close(): Promise<void> } {
  const { siteUuid } = inventory.site
  const presence = topicOf('presence', siteUuid, gatewayUuid)
  const readings = createLiveReadings(inventory, since)
  let work: Promise<void> = Promise.resolve()

  /** One round after the other; what was not acknowledged is sent again in the next. */
  const speak = (): void => {
    work = work
      .then(() => (connection.isConnected() ? readings.send(clock.now(), connection.publish) : undefined))
      .catch((err: unknown) => log.debug({ err }, 'the demo’s readings were not all taken'))
  }

  const connection: Connection = openConnection({
    address,
    clientId: `demo-${gatewayUuid.slice(0, 13)}`,
    isSessionKept: false,
    will: { topic: presence, payload: 'offline' },
    subscriptions: [],
    onConnected() {
      connection.publish(presence, 'online', { isRetained: true }).catch(() => {})
      speak()
    },
    onDisconnected: (reason) =>
      log.warn({ siteUuid, reason }, 'the demo’s gateway is not connected; trying on'),
  })
  const timer = setInterval(speak, LOOK_EVERY_MS)

  return {
    async close() {
      clearInterval(timer)
      await connection.close()
      await work
    },
  }
}

import type { Inventory } from '@portico/wire/operator/inventory'
import { setTimeout as delay } from 'node:timers/promises'
import type { Simulation } from '@portico/server/domain/control/simulation/sandbox'
import type { Clock } from '@portico/server/kernel/clock'
import type { Log } from '@portico/server/kernel/log'
import type { BrokerAddress } from '@portico/server/mqtt/brokers/address'
import { type Connection, openConnection } from '@portico/server/mqtt/brokers/connection'
import { toTopic } from '@portico/server/mqtt/topics'
import type { Misbehaviour } from '../content/index.ts'
import { createCommandResponder } from './command-responder.ts'
import type { UpcomingReadings } from './upcoming-readings.ts'
import { createDevicePresence } from './device-presence.ts'
import { createLiveReadings } from './live-readings.ts'
import { createSimulatedDevice } from './simulated-device.ts'

const LOOK_EVERY_MS = 5_000
/** A change of mode is confirmed when its presence is published, or after this time without a connection. */
const PUBLISH_TIMEOUT_MS = 5_000

/** A gateway of the demo with its credentials. */
export interface DemoGateway {
  inventory: Inventory
  gatewayUuid: string
  /** The time up to which its readings are already in the history. */
  since: number
  address: BrokerAddress
  /** Misbehaviours by device. */
  troubles: ReadonlyMap<string, Misbehaviour>
  comingReadings: UpcomingReadings
  /** Devices that were offline according to the server. */
  lastOffline(): Promise<readonly string[]>
}

export interface SimulatedGateway {
  siteUuid: string
  /** False for a device that is not connected through this gateway. */
  simulate(deviceUuid: string, simulation: Simulation): Promise<boolean>
  close(): Promise<void>
}

/** A gateway: its connection, and its devices with their presence, readings and responses. */
export async function startSimulatedGateway(
  { inventory, gatewayUuid, since, address, troubles, comingReadings, lastOffline }: DemoGateway,
  { clock, log }: { clock: Clock; log: Log },
): Promise<SimulatedGateway> {
  const { siteUuid } = inventory.site
  const gatewayPresence = toTopic('presence', siteUuid, gatewayUuid)
  const devices = new Map(
    inventory.devices.map((device) => [
      device.deviceUuid,
      createSimulatedDevice({ ...device, trouble: troubles.get(device.deviceUuid) }),
    ]),
  )
  const publish: Connection['publish'] = (...message) => connection.publish(...message)
  const readings = createLiveReadings(inventory, since, comingReadings)
  const presence = createDevicePresence(siteUuid, devices, await lastOffline(), publish)
  const answering = createCommandResponder(siteUuid, devices, { publish, clock, log })
  const firstConnected = Promise.withResolvers<void>()
  let readingWork: Promise<void> = Promise.resolve()
  let presenceWork: Promise<void> = Promise.resolve()

  /** One round at a time; readings that were not acknowledged are sent again in the next one. */
  const runRound = (): void => {
    const isSilent = (deviceUuid: string): boolean => devices.get(deviceUuid)?.isOffline(clock.now()) ?? false
    readingWork = readingWork
      .then(() => (connection.isConnected() ? readings.send(clock.now(), publish, isSilent) : undefined))
      .catch((err: unknown) => log.debug({ err }, 'some readings of the demo were not accepted'))
  }

  const enqueuePresence = (work: () => Promise<void>): Promise<void> => {
    presenceWork = presenceWork
      .then(() => (connection.isConnected() ? work() : undefined))
      .catch((err: unknown) => log.debug({ err }, 'the demo’s presence was not accepted'))
    return presenceWork
  }
  const publishChanges = (): Promise<void> => enqueuePresence(() => presence.publishChanges(clock.now()))
  const publishAll = (): Promise<void> =>
    enqueuePresence(async () => {
      await publish(gatewayPresence, 'online', { isRetained: true })
      await presence.publishAgain(clock.now())
    })

  const connection: Connection = openConnection({
    address,
    clientId: `demo-${gatewayUuid.slice(0, 13)}`,
    isSessionPersistent: false,
    will: { topic: gatewayPresence, payload: 'offline' },
    subscriptions: [[toTopic('commands', siteUuid, '+')]],
    async onMessage({ topic, payload }) {
      answering.receive(topic, payload)
    },
    onConnected() {
      void publishAll().then(firstConnected.resolve)
      runRound()
    },
    onDisconnected: (reason) =>
      log.warn({ siteUuid, reason }, 'the demo’s gateway is not connected; retrying'),
  })
  const timer = setInterval(() => {
    void publishChanges()
    runRound()
  }, LOOK_EVERY_MS)

  return {
    siteUuid,
    async simulate(deviceUuid, simulation) {
      const device = devices.get(deviceUuid)
      if (!device) return false
      device.simulate(simulation)
      const published = firstConnected.promise.then(publishChanges)
      await Promise.race([published, delay(PUBLISH_TIMEOUT_MS, undefined, { ref: false })])
      runRound()
      return true
    },
    async close() {
      clearInterval(timer)
      answering.close()
      await connection.close()
      await Promise.all([presenceWork, readingWork])
    },
  }
}

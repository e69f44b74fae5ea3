import { startControl } from './command/control.ts'
import type { Dispatcher } from './command/dispatcher.ts'
import type { Config } from './config/config.ts'
import type { Services } from './http/services.ts'
import { createLeases } from './instance/leases.ts'
import { type BrokerChoice, startMqtt } from './mqtt/mqtt.ts'
import { topicOf } from './mqtt/topics.ts'
import { sharedBy } from './store/shared.ts'
import type { Store } from './store/store.ts'

/** What goes on without being asked: devices are heard over MQTT, and commands are sent to them. One of it a server. */
export interface Background {
  /** There may be a command to send. */
  kick(): void
  close(): Promise<void>
}

export async function startBackground(
  config: Config,
  { mqttPort, installationKey }: { mqttPort: number; installationKey: Uint8Array },
  store: Store,
  services: Services,
): Promise<Background> {
  let control: Dispatcher | undefined
  const shared = sharedBy(store, config)
  const choice: BrokerChoice =
    config.mqttUrl === undefined
      ? { host: config.host, port: mqttPort }
      : {
          url: config.mqttUrl,
          installationKey,
          leases: shared && createLeases(shared.leases, services.clock),
        }
  const broker = await startMqtt(choice, {
    ...services,
    inventory: store.inventory,
    gatewayStore: store.gateways,
    commands: store.commands,
    outbox: store.outbox,
    rawRetentionMs: config.rawRetentionMs,
    onReachable(where) {
      if (where) control?.wake(where.siteUuid, where.deviceUuids)
      else control?.connected()
    },
  })
  const { publish, isConnected } = broker
  const started = (control = startControl({
    ...services,
    commands: store.commands,
    outbox: store.outbox,
    players: store.players,
    publish: ({ siteUuid, deviceUuid }, payload) =>
      publish(topicOf('commands', siteUuid, deviceUuid), payload),
    isConnected,
  }))
  return {
    kick: started.kick,
    async close() {
      await started.close()
      await broker.close()
    },
  }
}

import type { Inventory } from '@portico/wire/operator/inventory'
import type { Services } from '../../http/services.ts'
import type { BrokerAddress } from '../../mqtt/connection.ts'
import type { Trouble } from '../content/index.ts'
import { startSimulatedGateway } from './simulated-gateway.ts'

/** A gateway of the demo and how it signs on. */
export interface DemoGateway {
  inventory: Inventory
  gatewayUuid: string
  /** Up to here its readings are in the history already. */
  since: number
  address: BrokerAddress
  /** By device. */
  troubles: ReadonlyMap<string, Trouble>
  /** Devices that were offline when the server last heard of them. */
  lastOffline: readonly string[]
}

/** Plays the demo's devices over MQTT, as if they were real: nothing of the server is called but its broker. */
export function startSimulator(
  gateways: readonly DemoGateway[],
  { clock, log, sandbox }: Pick<Services, 'clock' | 'log' | 'sandbox'>,
): () => Promise<void> {
  const running = gateways.map((gateway) => startSimulatedGateway(gateway, { clock, log }))
  sandbox.setPlayer({
    async simulate(siteUuid, deviceUuid, simulation) {
      const gateway = running.find((one) => one.siteUuid === siteUuid)
      return gateway ? gateway.simulate(deviceUuid, simulation) : false
    },
  })
  return async () => {
    await Promise.all(running.map(({ close }) => close()))
  }
}

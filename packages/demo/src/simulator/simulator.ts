import type { DeviceSimulator } from '@portico/server/domain/control/simulation/sandbox'
import type { SimulationStore } from '@portico/server/domain/control/simulation/store'
import { pollRequests } from '@portico/server/domain/control/simulation/requests'
import type { Services } from '@portico/server/http/services'
import { type DemoGateway, startSimulatedGateway } from './simulated-gateway.ts'

/** Simulates the demo's devices over MQTT like real ones: it uses nothing of the server but the broker. */
export async function startSimulator(
  gateways: readonly DemoGateway[],
  { clock, log, sandbox }: Pick<Services, 'clock' | 'log' | 'sandbox'>,
  /** Simulation modes that partners have set through other instances. */
  simulations?: SimulationStore,
): Promise<() => Promise<void>> {
  const running = await Promise.all(gateways.map((gateway) => startSimulatedGateway(gateway, { clock, log })))
  const simulator: DeviceSimulator = {
    async simulate(siteUuid, deviceUuid, simulation) {
      const gateway = running.find((one) => one.siteUuid === siteUuid)
      return gateway ? gateway.simulate(deviceUuid, simulation) : false
    },
  }
  const polling =
    simulations && (await pollRequests(simulations, listDevices(gateways), simulator, onFailure))
  if (!polling) sandbox.setSimulator(simulator)

  function onFailure(err: unknown): void {
    log.debug({ err }, 'the demo cannot load simulation requests')
  }

  return async () => {
    await polling?.stop()
    await Promise.all(running.map(({ close }) => close()))
  }
}

const listDevices = (gateways: readonly DemoGateway[]): Map<string, string[]> =>
  new Map(
    gateways.map(({ inventory: { site, devices } }) => [
      site.siteUuid,
      devices.map(({ deviceUuid }) => deviceUuid),
    ]),
  )

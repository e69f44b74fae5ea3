import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../../../kernel/errors.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { repeatEvery } from '../../../kernel/repeat-every.ts'
import type { DeviceSimulator } from './sandbox.ts'
import type { SimulationStore } from './store.ts'

const POLL_EVERY_MS = 200
/** Longer than another instance needs to take over the simulation from one that was killed. */
const ACKNOWLEDGE_TIMEOUT_MS = 12_000

/** Forwards requests, through the store, to the instance that simulates the device. */
export const remoteSimulator = (store: SimulationStore, clock: Clock): DeviceSimulator => ({
  async simulate(siteUuid, deviceUuid, simulation) {
    const number = await store.request(siteUuid, deviceUuid, simulation)
    if (number === undefined) return false
    const deadline = clock.now() + ACKNOWLEDGE_TIMEOUT_MS
    while (!(await store.isAcknowledged(siteUuid, deviceUuid, number))) {
      if (clock.now() > deadline) throw unavailable('No instance simulates the device at the moment.')
      await delay(POLL_EVERY_MS)
    }
    return true
  },
})

/** Applies the requests that partners have sent to any instance. */
export async function pollRequests(
  store: SimulationStore,
  simulated: ReadonlyMap<string, readonly string[]>,
  simulator: DeviceSimulator,
  onFailure: (error: unknown) => void,
): Promise<{ stop(): Promise<void> }> {
  for (const [siteUuid, deviceUuids] of simulated) await store.register(siteUuid, deviceUuids)
  const acknowledgeAll = async (siteUuid: string): Promise<void> => {
    const requests = await store.listPending(siteUuid)
    await Promise.all(
      requests.map(async ({ deviceUuid, simulation, number }) => {
        await simulator.simulate(siteUuid, deviceUuid, simulation)
        await store.acknowledge(siteUuid, deviceUuid, number)
      }),
    )
  }
  return repeatEvery(
    POLL_EVERY_MS,
    async () => {
      for (const siteUuid of simulated.keys()) await acknowledgeAll(siteUuid)
    },
    onFailure,
  )
}

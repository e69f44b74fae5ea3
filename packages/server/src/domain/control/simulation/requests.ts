import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../../../kernel/errors.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { repeatEvery } from '../../../kernel/repeat-every.ts'
import type { DeviceSimulator } from './sandbox.ts'
import type { SimulationStore } from './store.ts'

const LOOK_EVERY_MS = 200
/** Longer than another instance needs to take over from one that was killed. */
const ACKNOWLEDGE_TIMEOUT_MS = 12_000

/** Has the instance that plays the device do it, whichever that is. */
export const remoteSimulator = (store: SimulationStore, clock: Clock): DeviceSimulator => ({
  async simulate(siteUuid, deviceUuid, simulation) {
    const number = await store.request(siteUuid, deviceUuid, simulation)
    if (number === undefined) return false
    const deadline = clock.now() + ACKNOWLEDGE_TIMEOUT_MS
    while (!(await store.isAcknowledged(siteUuid, deviceUuid, number))) {
      if (clock.now() > deadline) throw unavailable('Nobody plays the device at the moment.')
      await delay(LOOK_EVERY_MS)
    }
    return true
  },
})

/** Does what partners have asked any instance for. */
export async function pollRequests(
  store: SimulationStore,
  played: ReadonlyMap<string, readonly string[]>,
  player: DeviceSimulator,
  onFailure: (error: unknown) => void,
): Promise<{ stop(): Promise<void> }> {
  for (const [siteUuid, deviceUuids] of played) await store.register(siteUuid, deviceUuids)
  const acknowledgeAll = async (siteUuid: string): Promise<void> => {
    const requests = await store.listPending(siteUuid)
    await Promise.all(
      requests.map(async ({ deviceUuid, simulation, number }) => {
        await player.simulate(siteUuid, deviceUuid, simulation)
        await store.acknowledge(siteUuid, deviceUuid, number)
      }),
    )
  }
  return repeatEvery(
    LOOK_EVERY_MS,
    async () => {
      for (const siteUuid of played.keys()) await acknowledgeAll(siteUuid)
    },
    onFailure,
  )
}

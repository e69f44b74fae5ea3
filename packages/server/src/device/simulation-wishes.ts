import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { repeatEvery } from '../lib/repeat-every.ts'
import type { DevicePlayer } from './sandbox.ts'
import type { SimulationStore } from './simulation-store.ts'

const LOOK_EVERY_MS = 200
/** Longer than another instance needs to take over from one that was killed. */
const HEARD_WITHIN_MS = 12_000

/** Has the instance that plays the device do it, whichever that is. */
export const playerThrough = (store: SimulationStore, clock: Clock): DevicePlayer => ({
  async simulate(siteUuid, deviceUuid, simulation) {
    const number = await store.ask(siteUuid, deviceUuid, simulation)
    if (number === undefined) return false
    const deadline = clock.now() + HEARD_WITHIN_MS
    while (!(await store.isHeard(siteUuid, deviceUuid, number))) {
      if (clock.now() > deadline) throw unavailable('Nobody plays the device at the moment.')
      await delay(LOOK_EVERY_MS)
    }
    return true
  },
})

/** Does what partners have asked any instance for. */
export async function hearWishes(
  store: SimulationStore,
  played: ReadonlyMap<string, readonly string[]>,
  player: DevicePlayer,
  onFailure: (error: unknown) => void,
): Promise<{ stop(): Promise<void> }> {
  for (const [siteUuid, deviceUuids] of played) await store.play(siteUuid, deviceUuids)
  const hearAll = async (siteUuid: string): Promise<void> => {
    const wishes = await store.unheard(siteUuid)
    await Promise.all(
      wishes.map(async ({ deviceUuid, simulation, number }) => {
        await player.simulate(siteUuid, deviceUuid, simulation)
        await store.hear(siteUuid, deviceUuid, number)
      }),
    )
  }
  return repeatEvery(
    LOOK_EVERY_MS,
    async () => {
      for (const siteUuid of played.keys()) await hearAll(siteUuid)
    },
    onFailure,
  )
}

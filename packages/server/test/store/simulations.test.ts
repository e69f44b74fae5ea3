import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { createSandbox, type Simulation } from '../../src/domain/control/simulation/sandbox.ts'
import type { SimulationStore } from '../../src/domain/control/simulation/store.ts'
import { pollRequests, remoteSimulator } from '../../src/domain/control/simulation/requests.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { migratedDatabase } from '../support/postgres.ts'

const OFFLINE: Simulation = { mode: 'offline', delaySeconds: null }
const DELAY: Simulation = { mode: 'delay', delaySeconds: 3 }
const [siteUuid, deviceUuid, secondUuid] = [newUuid(), newUuid(), newUuid()]

async function twoInstances(t: TestContext): Promise<[SimulationStore, SimulationStore]> {
  const database = await migratedDatabase(t)
  const open = (): SimulationStore => database.open().shared?.simulations ?? assert.fail()
  return [open(), open()]
}

/** Simulates the devices in one instance until the end of `work`, which gets the requests received so far. Stops before the store closes. */
async function whileSimulating(
  store: SimulationStore,
  work: (requested: readonly [string, Simulation][]) => Promise<void>,
): Promise<void> {
  const requested: [string, Simulation][] = []
  const simulator = {
    async simulate(_site: string, device: string, simulation: Simulation) {
      requested.push([device, simulation])
      return true
    },
  }
  const simulated = new Map([[siteUuid, [deviceUuid, secondUuid]]])
  const polling = await pollRequests(store, simulated, simulator, assert.ifError)
  try {
    await work(requested)
  } finally {
    await polling.stop()
  }
}

describe('simulated devices and several instances', () => {
  test('a mode set through one instance applies in the simulating one when the call returns', async (t) => {
    const [one, other] = await twoInstances(t)
    await whileSimulating(one, async (requested) => {
      const sandbox = createSandbox(remoteSimulator(other, systemClock))
      await sandbox.simulate(siteUuid, deviceUuid, OFFLINE)
      assert.deepEqual(requested, [[deviceUuid, OFFLINE]])
      await sandbox.simulate(siteUuid, deviceUuid, DELAY)
      assert.deepEqual(requested.at(-1), [deviceUuid, DELAY])
    })
  })

  test('a device that is not simulated is rejected', async (t) => {
    const [store] = await twoInstances(t)
    const sandbox = createSandbox(remoteSimulator(store, systemClock))
    const isConflict = (error: unknown): boolean => error instanceof AppError && error.code === 'conflict'
    await assert.rejects(sandbox.simulate(siteUuid, deviceUuid, OFFLINE), isConflict)
  })

  test('an instance that takes over the simulation receives the chosen modes, and nothing else', async (t) => {
    const [one, other] = await twoInstances(t)
    await whileSimulating(one, () =>
      createSandbox(remoteSimulator(one, systemClock)).simulate(siteUuid, deviceUuid, OFFLINE),
    )
    await other.register(siteUuid, [deviceUuid, secondUuid])
    assert.deepEqual(
      (await other.listPending(siteUuid)).map((request) => [request.deviceUuid, request.simulation]),
      [[deviceUuid, OFFLINE]],
    )
  })
})

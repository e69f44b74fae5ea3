import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { rareDays } from '../support/histories/examples.ts'
import { type Recipe, recipe } from '../support/histories/recipe.ts'
import {
  readResponses,
  assertNotModified,
  startScenario,
  verify,
  deliverUntil,
  type ScenarioRun,
} from '../support/histories/scenario-run.ts'
import { makeScenario } from '../support/histories/scenario.ts'
import type { Installation } from '../support/servers/installation.ts'
import { makeStore } from '../support/servers/store.ts'

/**
 * Compares random histories with an oracle that shares no code with the server. PROPERTY_RUNS sets their number,
 * PROPERTY_SEED repeats an earlier run; a failure prints the seed and the history.
 */
const runs = Number(process.env['PROPERTY_RUNS'] ?? 12)
const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_115)
const shrinkForMs = 30_000
const maxRetained = 10

const store = await makeStore()
let installation: Installation = await store.start()
after(async () => {
  await installation.stop()
  await store.remove()
})

/** Histories of which the last part has not been delivered yet. */
const retained: ScenarioRun[] = []

test('for any readings, in any order and through any channel, every window matches the oracle', async (context) => {
  context.diagnostic(`PROPERTY_SEED=${seed} PROPERTY_RUNS=${runs}`)
  let failedAt: number | undefined
  const holds = async (drawn: Recipe): Promise<void> => {
    // Limits the time spent on shrinking a counterexample.
    if (failedAt !== undefined && Date.now() - failedAt > shrinkForMs) return
    try {
      const world = makeScenario(drawn, Temporal.Now.instant())
      const scenario = await startScenario(installation, world)
      const isForLater = drawn.arrival.isLastLater && retained.length < maxRetained
      await deliverUntil(installation, scenario, world.batches.length - (isForLater ? 1 : 0))
      await verify(installation, scenario)
      if (isForLater) retained.push(scenario)
    } catch (error) {
      failedAt ??= Date.now()
      throw error
    }
  }
  await fc.assert(fc.asyncProperty(recipe, holds), {
    seed,
    numRuns: runs,
    examples: rareDays(Temporal.Now.instant()),
  })
  assert.ok(retained.length > 0)
})

test('repeated without new data, also by another process after a kill, every response is identical byte for byte', async () => {
  const before = []
  for (const scenario of retained)
    before.push({ scenario, answers: await readResponses(installation, scenario) })
  for (const { scenario, answers } of before) await assertNotModified(installation, scenario, answers)
  await installation.portico.kill()
  installation = await store.start()
  for (const { scenario, answers } of before) {
    assert.deepEqual(await readResponses(installation, scenario), answers)
    await assertNotModified(installation, scenario, answers)
  }
})

test('readings that arrive weeks later change their own windows and no others', async () => {
  await installation.stop()
  const env = {
    NODE_OPTIONS: `--import=${import.meta.resolve('../support/preload/clock-offset.ts')}`,
    CLOCK_AHEAD_MS: String(40 * 86_400_000),
  }
  const later = await store.start({ env })
  installation = { ...later, env }
  for (const scenario of retained) {
    await verify(installation, scenario)
    await deliverUntil(installation, scenario, scenario.world.batches.length)
    await verify(installation, scenario)
  }
})

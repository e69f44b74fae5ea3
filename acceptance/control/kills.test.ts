import { test } from 'node:test'
import { useControl } from '../support/control/control-harness.ts'
import { runChaos } from '../support/control/chaos.ts'
import { randomFrom } from '../support/histories/random.ts'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_115)
const rounds = Number(process.env['PROPERTY_RUNS'] ?? 3)

const control = await useControl()
const site = await control.addSite()
const device = await site.device()

test('kill -9 of the server and its broker at any moment: every accepted command ends, none is lost, duplicated or sent after its end', async (context) => {
  context.diagnostic(`PROPERTY_SEED=${seed}`)
  const fault = async (): Promise<void> => {
    await control.end('SIGKILL')
    await control.start()
  }
  await runChaos({ control, site, device, random: randomFrom(seed), fault }, rounds)
})

import { after, before, test } from 'node:test'
import { type ControlHarness, startControl } from '../support/control/control-harness.ts'
import type { ControlSite } from '../support/control/control-site.ts'
import type { RecordingDevice } from '../support/control/recording-device.ts'
import { runChaos } from '../support/control/chaos.ts'
import { randomFrom } from '../support/histories/random.ts'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_115)
const rounds = Number(process.env['PROPERTY_RUNS'] ?? 3)

let control: ControlHarness
let site: ControlSite
let device: RecordingDevice

before(async () => {
  control = await startControl()
  site = await control.addSite()
  device = await site.device()
})
after(() => control.remove())

test('kill -9 of the server and its broker at any moment: every accepted command ends, none is lost, duplicated or sent after its end', async (context) => {
  context.diagnostic(`PROPERTY_SEED=${seed}`)
  const fault = async (): Promise<void> => {
    await control.end('SIGKILL')
    await control.start()
  }
  await runChaos({ control, site, device, random: randomFrom(seed), fault }, rounds)
})

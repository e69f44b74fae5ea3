import { after, before, test } from 'node:test'
import { type ControlHarness, startControl } from '../support/control/control-harness.ts'
import type { ControlSite } from '../support/control/control-site.ts'
import type { RecordingDevice } from '../support/control/recording-device.ts'
import { runChaos } from '../support/control/chaos.ts'
import { randomFrom } from '../support/histories/random.ts'
import { type Mosquitto, startMosquitto } from '../support/servers/mosquitto.ts'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_115)
const rounds = Number(process.env['PROPERTY_RUNS'] ?? 4)

let mosquitto: Mosquitto
let control: ControlHarness
let site: ControlSite
let device: RecordingDevice

before(async () => {
  mosquitto = await startMosquitto()
  control = await startControl({ mqttUrl: mosquitto.url })
  site = await control.addSite()
  device = await site.device()
})
after(async () => {
  await control.remove()
  await mosquitto.remove()
})

test('kill -9 of the server, or of an external broker that loses its state: every accepted command ends, none is lost, duplicated or sent after its end', async (context) => {
  context.diagnostic(`PROPERTY_SEED=${seed}`)
  const random = randomFrom(seed)
  const fault = async (): Promise<void> => {
    if (random.chance(0.6)) {
      await mosquitto.wipe()
      await mosquitto.start()
    } else {
      await control.end('SIGKILL')
      await control.start()
    }
  }
  await runChaos({ control, site, device, random, fault }, rounds)
})

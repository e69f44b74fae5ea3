import { after, test } from 'node:test'
import { useControl } from '../support/control/control-harness.ts'
import { runChaos } from '../support/control/chaos.ts'
import { randomFrom } from '../support/histories/random.ts'
import { startMosquitto } from '../support/servers/mosquitto.ts'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_115)
const rounds = Number(process.env['PROPERTY_RUNS'] ?? 4)

const mosquitto = await startMosquitto()
const control = await useControl({ mqttUrl: mosquitto.url })
after(() => mosquitto.remove())
const site = await control.addSite()
const device = await site.device()

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

import { type SmallSite, makeSmallSite } from '../fixtures/small-site.ts'
import type { Installation } from '../servers/installation.ts'
import { rm } from 'node:fs/promises'
import { after } from 'node:test'
import { endDevices } from '../clients/mqtt.ts'
import type { NewPartner } from '../clients/operator.ts'
import { makeTempDir, type Portico } from '../servers/portico.ts'
import { tokenFor } from '../clients/requests.ts'
import { makeStore } from '../servers/store.ts'
import { type V2Client, v2Client } from '../clients/v2-client.ts'
import { type Clock, makeClock } from './clock.ts'
import { addControlSite, type ControlSite } from './control-site.ts'
import { endRecordingDevices } from './recording-device.ts'

/** An installation whose server can be stopped and restarted, with a clock that the test controls. */
export interface ControlHarness {
  clock: Clock
  /** The running server. */
  readonly installation: Installation
  readonly portico: Portico
  /** Where devices connect: the embedded or the external broker. */
  readonly mqttUrl: string
  addSite(house?: SmallSite): Promise<ControlSite>
  /** A partner's client of the running server, with a token that is valid on its clock. */
  createClient(partner: NewPartner, siteUuid: string): Promise<V2Client>
  /** SIGTERM and a new start; the clock is moved in between. */
  restart(options?: { at?: number }): Promise<void>
  /** Stops the server; `start` restarts it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  start(): Promise<void>
  /** Disconnects all devices of the test file, stops the server and deletes its data. */
  remove(): Promise<void>
}

export interface ControlOptions {
  env?: Record<string, string>
  /** URL of an external broker. */
  mqttUrl?: string
  /** Initial time of the clock. */
  at?: number
}

const TOKEN_MS = 40 * 60_000

export async function startControl({ env = {}, mqttUrl, at }: ControlOptions = {}): Promise<ControlHarness> {
  const folder = await makeTempDir()
  const clock = makeClock(folder)
  if (at !== undefined) clock.moveTo(at)
  const store = await makeStore()
  let installation: Installation
  const start = async (): Promise<void> => {
    tokens.clear()
    installation = await store.start({
      env: { ...env, ...clock.env },
      ...(mqttUrl === undefined ? {} : { mqttUrl }),
    })
  }
  const tokens = new Map<string, { token: string; until: number }>()
  await start()

  const control: ControlHarness = {
    clock,
    get installation() {
      return installation
    },
    get portico() {
      return installation.portico
    },
    get mqttUrl() {
      return mqttUrl ?? installation.portico.mqttUrl
    },
    addSite: (house = makeSmallSite()) => addControlSite(control, house),
    async createClient({ clientId, clientSecret }, siteUuid) {
      let known = tokens.get(clientId)
      if (!known || known.until < clock.now()) {
        const token = await tokenFor(installation.portico, clientId, clientSecret)
        known = { token, until: clock.now() + TOKEN_MS }
        tokens.set(clientId, known)
      }
      return v2Client(installation.portico, known.token, siteUuid)
    },
    async restart({ at: instant } = {}) {
      await installation.portico.stop()
      if (instant !== undefined) clock.moveTo(instant)
      await start()
    },
    end: async (signal) => {
      if (signal === 'SIGTERM') await installation.portico.stop()
      else await installation.portico.kill()
    },
    start,
    async remove() {
      endDevices()
      endRecordingDevices()
      await installation.portico.stop()
      await store.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return control
}

/** The control harness of a whole test file: removed after its tests. */
export async function useControl(options?: ControlOptions): Promise<ControlHarness> {
  const control = await startControl(options)
  after(() => control.remove())
  return control
}

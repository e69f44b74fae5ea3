import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { type House, makeHouse } from './house.ts'
import { addClient, applyInventory, type Installation } from './installation.ts'
import { asObject, parseJson } from './json.ts'
import { type Mosquitto, startMosquitto } from './mosquitto.ts'
import { endDevices } from './mqtt.ts'
import { addMqttSite, type MqttSite, partnerAt } from './mqtt-site.ts'
import { type NewPartner, readNewPartner } from './operator.ts'
import { makeTempDir, type Portico, runPortico, type StartOptions, startPortico } from './portico.ts'
import { startPostgres } from './postgres.ts'
import { tokenFor } from './requests.ts'
import type { V2Client } from './v2-client.ts'

/** How soon every instance has seen what was changed through another, at the latest. */
export const SEEN_WITHIN_MS = 5_000

/** Several servers on one PostgreSQL and one Mosquitto, each with a data folder of its own. */
export interface Instances {
  databaseUrl: string
  mosquitto: Mosquitto
  /** Those that were started, in order. */
  all: Portico[]
  one: Portico
  other: Portico
  /** Their only operator, with a token that all of them take. */
  operator: string
  operatorClient: NewPartner
  /** As what a test does through one of them is written. */
  at(portico: Portico): Installation
  /** One more. */
  start(options?: Pick<StartOptions, 'env' | 'demo'>): Promise<Portico>
  /** A site with a gateway, and a partner who may do everything on it. */
  addSite(house?: House): Promise<MqttSite>
  /** A new partner on a site: as a client of each of the two. */
  addClients(siteUuid: string): Promise<{ partner: NewPartner; one: V2Client; other: V2Client }>
  remove(): Promise<void>
}

/** Behind one address, as behind a load balancer: tokens carry it. */
const publicUrl = 'https://portico.example'

export async function startInstances(env: Record<string, string> = {}): Promise<Instances> {
  const [cluster, mosquitto] = await Promise.all([startPostgres(), startMosquitto()])
  const settings = { DATABASE_URL: cluster.url, RATE_LIMIT: 'off', ...env }
  const folders: string[] = []
  const all: Portico[] = []
  const start: Instances['start'] = async (options = {}) => {
    const dataDir = await makeTempDir()
    folders.push(dataDir)
    const portico = await startPortico({
      demo: options.demo ?? false,
      dataDir,
      publicUrl,
      mqttUrl: mosquitto.url,
      env: { ...settings, ...options.env },
    })
    all.push(portico)
    return portico
  }
  const flags = ['--name', 'Operator', '--role', 'Operator', '--json']
  const added = await runPortico(['partner', 'add', ...flags], { env: settings })
  assert.equal(added.code, 0, added.stderr)
  const operatorClient = readNewPartner(asObject(parseJson(added.stdout)))
  const one = await start()
  const other = await start()
  const operator = await tokenFor(one, operatorClient.clientId, operatorClient.clientSecret)
  const at = (portico: Portico): Installation => ({ portico, operator, stop: async () => {} })
  return {
    databaseUrl: cluster.url,
    mosquitto,
    all,
    one,
    other,
    operator,
    operatorClient,
    at,
    start,
    addSite: (house) => addMqttSite(at(one), house),
    async addClients(siteUuid) {
      const { partner, ...client } = await addClient(at(one), [siteUuid])
      return { partner, one: client, other: partnerAt(client, other) }
    },
    async remove() {
      endDevices()
      await Promise.all(all.map((portico) => portico.stop()))
      await mosquitto.remove()
      await cluster.stop()
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The same with a site on it that a test knows everything of. */
export async function startInstancesWithHouse(
  env: Record<string, string> = {},
): Promise<Instances & { house: House }> {
  const instances = await startInstances(env)
  const house = makeHouse()
  await applyInventory(instances.at(instances.one), house.document)
  return { ...instances, house }
}

import { rm } from 'node:fs/promises'
import { startCitus } from './citus.ts'
import { isCitus } from './backend.ts'
import { type SmallSite, makeSmallSite } from '../fixtures/small-site.ts'
import { addClient, applyInventory, type Installation } from './installation.ts'
import { type Mosquitto, startMosquitto } from './mosquitto.ts'
import { endDevices } from '../clients/mqtt.ts'
import { addMqttSite, type MqttSite, partnerAt } from '../fixtures/mqtt-site.ts'
import type { NewPartner } from '../clients/operator.ts'
import { addOperator } from './operator-dir.ts'
import { makeTempDir, type Portico, startPortico } from './portico.ts'
import { startPostgres } from './postgres.ts'
import { tokenFor } from '../clients/requests.ts'
import type { V2Client } from '../clients/v2-client.ts'

/** Instances apply each other's changes within 5 seconds; the rest is for a slow machine. */
export const SEEN_WITHIN_MS = 60_000

/** Servers on one PostgreSQL or Citus and one Mosquitto, each with its own data folder. */
export interface InstanceGroup {
  databaseUrl: string
  mosquitto: Mosquitto
  /** The started servers, in order. */
  all: Portico[]
  /** Starts one more. */
  start(options?: { demo: boolean; dataDir?: string }): Promise<Portico>
  remove(): Promise<void>
}

/** Two instances and an operator. */
export interface Instances extends InstanceGroup {
  one: Portico
  other: Portico
  /** An operator's token, valid on all of them. */
  operator: string
  /** One of the instances as an installation, for the helpers that take one. */
  at(portico: Portico): Installation
  /** A site with a gateway, and a partner with all roles on it. */
  addSite(house?: SmallSite): Promise<MqttSite>
  /** A new partner on a site, as a client of each instance. */
  addClients(siteUuid: string): Promise<{ partner: NewPartner; one: V2Client; other: V2Client }>
}

/** The public address of all instances, as behind a load balancer: tokens carry it. */
const publicUrl = 'https://portico.example'

/** A database and a broker, without a server. */
export async function makeInstanceGroup(settings: Record<string, string> = {}): Promise<InstanceGroup> {
  const [cluster, mosquitto] = await Promise.all([
    isCitus() ? startCitus() : startPostgres(),
    startMosquitto(),
  ])
  const env = { DATABASE_URL: cluster.url, RATE_LIMIT: 'off', ...settings }
  const folders: string[] = []
  const all: Portico[] = []
  return {
    databaseUrl: cluster.url,
    mosquitto,
    all,
    async start({ demo, dataDir: given } = { demo: false }) {
      const dataDir = given ?? (await makeTempDir())
      folders.push(dataDir)
      const portico = await startPortico({ demo, dataDir, publicUrl, mqttUrl: mosquitto.url, env })
      all.push(portico)
      return portico
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

export async function startInstances(settings: Record<string, string> = {}): Promise<Instances> {
  const together = await makeInstanceGroup(settings)
  const { clientId, clientSecret } = await addOperator({ env: { DATABASE_URL: together.databaseUrl } })
  const one = await together.start()
  const other = await together.start()
  const operator = await tokenFor(one, clientId, clientSecret)
  const at = (portico: Portico): Installation => ({ portico, operator, stop: async () => {} })
  return {
    ...together,
    one,
    other,
    operator,
    at,
    addSite: (house) => addMqttSite(at(one), house),
    async addClients(siteUuid) {
      const { partner, ...client } = await addClient(at(one), [siteUuid])
      return { partner, one: client, other: partnerAt(client, other) }
    },
  }
}

/** Two instances with a small site. */
export async function startInstancesWithSite(
  settings: Record<string, string> = {},
): Promise<Instances & { house: SmallSite }> {
  const instances = await startInstances(settings)
  const house = makeSmallSite()
  await applyInventory(instances.at(instances.one), house.document)
  return { ...instances, house }
}

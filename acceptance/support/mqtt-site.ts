import assert from 'node:assert/strict'
import type { IClientOptions } from 'mqtt'
import { type SmallSite, makeSmallSite } from './house.ts'
import { addClient, applyInventory, type Installation } from './installation.ts'
import { asArray, asObject, asString, type JsonObject } from './json.ts'
import { readMetrics } from './metrics.ts'
import { type Account, connectDevice, type MqttDevice } from './mqtt.ts'
import { type Portico, startPortico } from './portico.ts'
import { api } from './requests.ts'
import { getReadings, type Reading } from './series.ts'
import { type V2Client, v2Client } from './v2-client.ts'

/** A site with a gateway account, and a partner who reads what arrives. */
export interface MqttSite {
  installation: Installation
  house: SmallSite
  partner: V2Client
  gatewayUuid: string
  account: Account
  topic(unit: string, kind: string): string
  /** Signs the gateway on at the server's own broker. */
  connect(options?: IClientOptions): Promise<MqttDevice>
}

export async function addMqttSite(installation: Installation, house: SmallSite = makeSmallSite()): Promise<MqttSite> {
  await applyInventory(installation, house.document)
  const { gatewayUuid, ...account } = await addGateway(installation, house.siteUuid)
  return {
    installation,
    house,
    partner: await addClient(installation, [house.siteUuid]),
    gatewayUuid,
    account,
    topic: (unit, kind) => `portico/v1/${house.siteUuid}/${unit}/${kind}`,
    connect: (options) => connectDevice(installation.portico.mqttUrl, account, options),
  }
}

export async function addGateway(
  { portico, operator }: Installation,
  siteUuid: string,
): Promise<Account & { gatewayUuid: string }> {
  const path = `/operator/sites/${siteUuid}/gateways`
  const answer = await api(portico, path, { method: 'POST', token: operator, body: { name: 'Riser' } })
  assert.equal(answer.status, 201, answer.text)
  return readGateway(answer.json)
}

export const readGateway = (json: JsonObject): Account & { gatewayUuid: string } => ({
  username: asString(json['mqttUsername']),
  password: asString(json['mqttPassword']),
  gatewayUuid: asString(json['gatewayUuid']),
})

/** The newest refused messages. */
export async function rejectedAt({ portico, operator }: Installation, limit = 1000): Promise<JsonObject[]> {
  const answer = await api(portico, `/operator/rejected?limit=${limit}`, { token: operator })
  assert.equal(answer.status, 200, answer.text)
  return asArray(answer.json['data']).map(asObject)
}

/** A counter or gauge of /metrics, summed over its labels that contain the text. */
export const metricAt = async (portico: Portico, name: string, label = ''): Promise<number> =>
  metricIn(await readMetrics(portico), name, label)

/** The same, of a text that was read from /metrics. */
export function metricIn(text: string, name: string, label = ''): number {
  const lines = text
    .split('\n')
    .filter((line) => new RegExp(`^${name}[{ ]`).test(line) && line.includes(label))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** What is stored of a device on one day. */
export const readingsAt = (
  partner: V2Client,
  deviceUuid: string,
  day: string,
  metricType = 'electricity',
): Promise<Reading[]> =>
  getReadings(partner, deviceUuid, metricType, {
    fromDateTime: `${day}T00:00:00Z`,
    toDateTime: `${day}T23:59:59Z`,
  })

export const valuesAt = async (...args: Parameters<typeof readingsAt>): Promise<number[]> =>
  (await readingsAt(...args)).map(({ value }) => value)

/** The installation with a server that was started anew on its store, at the same addresses. */
export async function startAgain(
  { portico, operator }: Installation,
  options: { mqttUrl?: string } = {},
): Promise<Installation> {
  const { dataDir, port } = portico
  const again = await startPortico({ demo: false, dataDir, port, env: { RATE_LIMIT: 'off' }, ...options })
  return {
    portico: again,
    operator,
    stop: async () => {
      await again.stop()
    },
  }
}

/** The same partner at another server of the same installation. */
export const partnerAt = ({ token, siteId }: V2Client, portico: Portico): V2Client =>
  v2Client(portico, token, siteId)

import assert from 'node:assert/strict'
import { override } from '../../support/control/bodies.ts'
import { confirms, rejects, silent } from '../../support/control/device-behaviours.ts'
import { connectRecordingDevice, endRecordingDevices } from '../../support/control/recording-device.ts'
import { eventually } from '../../support/eventually.ts'
import { type SmallSite, makeSmallSite } from '../../support/fixtures/small-site.ts'
import { addClient, applyInventory, type Installation } from '../../support/servers/installation.ts'
import { asString } from '../../support/json.ts'
import { connectDevice } from '../../support/clients/mqtt.ts'
import { addGateway, rejectedAt } from '../../support/fixtures/mqtt-site.ts'
import type { NewPartner } from '../../support/clients/operator.ts'
import { api, send, tokenFor } from '../../support/clients/requests.ts'
import { getReadings } from '../../support/clients/series.ts'
import { makeStore, type Store } from '../../support/servers/store.ts'
import { type V2Client, v2Client } from '../../support/clients/v2-client.ts'
import { postReadings, type ReadingRecord, write } from '../../support/clients/ingest-channels.ts'

/** A stopped installation with data of every kind. */
export interface PopulatedInstallation {
  store: Store
  houses: readonly SmallSite[]
  partner: NewPartner
  account: { username: string; password: string }
  /** The port of its servers: it must not change, because tokens carry the issuer's address. */
  port: number
}

const DAY_MS = 86_400_000
const HALF_HOUR_MS = 1_800_000
export const OLD_DAYS = 60
const PNG = Uint8Array.from(Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xfe', 'latin1'))

export async function makePopulatedInstallation(): Promise<PopulatedInstallation> {
  const store = await makeStore()
  const houses = [
    makeSmallSite({ legacyId: 7 }),
    makeSmallSite({ siteName: 'Chatham', timeZone: 'Pacific/Chatham' }),
  ]
  let installation = await store.start()
  for (const { document } of houses) await applyInventory(installation, document)
  const client = await addClient(
    installation,
    houses.map(({ siteUuid }) => siteUuid),
  )
  for (const house of houses) await addHistory(installation, house)
  await moveAndArchive(installation, houses)
  await installation.stop()
  installation = await store.start({ env: { RAW_RETENTION: 'P30D' } })
  await untilDropped(installation, houses, client.partner)
  const [house] = houses
  assert.ok(house)
  const account = await addGateway(installation, house.siteUuid)
  await control(installation, house, client.partner, account)
  await operate(installation, house)
  await addLatest(installation, house)
  const { port } = installation.portico
  await installation.stop()
  return { store, houses, partner: client.partner, account, port }
}

const createClient = async (
  { portico }: Installation,
  { clientId, clientSecret }: NewPartner,
  siteUuid: string,
): Promise<V2Client> => v2Client(portico, await tokenFor(portico, clientId, clientSecret), siteUuid)

const listMetrics = (house: SmallSite): [device: string, metric: string][] => [
  [house.meter, 'electricity'],
  [house.secondMeter, 'electricity'],
  [house.sensor, 'temperature'],
  [house.sensor, 'co2'],
  [house.trv, 'temperature'],
]

/** Readings of two weeks long ago and of the three weeks up to now, and a correction. */
async function addHistory(installation: Installation, house: SmallSite): Promise<void> {
  const now = Math.floor(Date.now() / HALF_HOUR_MS) * HALF_HOUR_MS
  const series = (days: number, count: number): ReadingRecord[] =>
    listMetrics(house).flatMap(([deviceUuid, metricType], place) =>
      Array.from({ length: count }, (_, index) => ({
        deviceUuid,
        metricType,
        timestamp: new Date(now - days * DAY_MS + index * HALF_HOUR_MS).toISOString(),
        value: Math.round((index + 1) * (place + 1) * 137) / 1000,
      })),
    )
  const [correction] = series(20, 1)
  assert.ok(correction)
  for (const readings of [series(OLD_DAYS, 14 * 48), series(21, 20 * 48), [{ ...correction, value: 0.125 }]])
    await postReadings(installation, 'ndjson', write(readings, 'ndjson'))
}

async function moveAndArchive(installation: Installation, houses: readonly SmallSite[]): Promise<void> {
  for (const { document, secondMeter, kitchen, cylinder } of houses) {
    const devices = document.devices
      .filter(({ deviceUuid }) => deviceUuid !== cylinder)
      .map((one) =>
        one['deviceUuid'] === secondMeter
          ? { ...one, spaceUuid: kitchen, since: new Date(Date.now() - 3 * DAY_MS).toISOString() }
          : one,
      )
    await applyInventory(installation, { ...document, devices })
  }
}

/** Waits until retention has deleted the oldest days. */
async function untilDropped(
  installation: Installation,
  houses: readonly SmallSite[],
  partner: NewPartner,
): Promise<void> {
  const from = Date.now() - OLD_DAYS * DAY_MS
  const range = {
    fromDateTime: new Date(from).toISOString(),
    toDateTime: new Date(from + 3 * DAY_MS).toISOString(),
  }
  for (const { siteUuid, meter } of houses) {
    const client = await createClient(installation, partner, siteUuid)
    await eventually(async () => {
      assert.deepEqual(await getReadings(client, meter, 'electricity', range), [])
    })
  }
}

/** Commands that were confirmed, rejected, cancelled and never delivered, and a rejected message. */
async function control(
  installation: Installation,
  { siteUuid, trv }: SmallSite,
  partner: NewPartner,
  account: { username: string; password: string },
): Promise<void> {
  const client = await createClient(installation, partner, siteUuid)
  const url = installation.portico.mqttUrl
  const device = await connectRecordingDevice({ url, account, siteUuid, deviceUuid: trv })
  const order = async (temperature: number): Promise<string> => {
    const answer = await client.post(`/devices/${trv}/schedule`, override(temperature), {
      'Idempotency-Key': `key-${temperature}`,
    })
    assert.equal(answer.status, 202, answer.text)
    return `/devices/${trv}/commands/${asString(answer.json['commandUuid'])}`
  }
  const until = (path: string, states: string[]) =>
    eventually(async () => {
      const { state } = await client.get(path)
      assert.ok(states.includes(asString(state)), String(state))
    })
  for (const [temperature, answering, state] of [
    [20, confirms, 'CONFIRMED'],
    [21, rejects('no'), 'FAILED'],
    [22, silent, 'SENT'],
  ] as const) {
    device.answering = answering
    await until(await order(temperature), [state])
  }
  await device.quiet()
  await device.vanish()
  const cancelled = await order(23)
  assert.equal((await client.send(cancelled, { method: 'DELETE' })).status < 300, true)
  await order(24)
  const gateway = await connectDevice(url, account)
  await gateway.publish(`portico/v1/${siteUuid}/${trv}/readings`, 'no JSON')
  await eventually(async () => assert.ok((await rejectedAt(installation)).length > 0))
  await gateway.end()
  endRecordingDevices()
}

/** Images, version 1 lifecycle dates, a new key, version 1 calls and a disabled partner. */
async function operate(installation: Installation, { buildingUuid, siteUuid }: SmallSite): Promise<void> {
  const { portico, operator } = installation
  const headers = { authorization: `Bearer ${operator}`, 'content-type': 'image/png' }
  for (const path of ['/operator/tenant/logo', `/operator/buildings/${buildingUuid}/image`])
    assert.equal((await send(`${portico.origin}${path}`, { method: 'PUT', headers, body: PNG })).status, 204)
  const ask = async (method: string, path: string, body?: unknown): Promise<void> => {
    const answer = await api(portico, path, {
      method,
      token: operator,
      ...(body === undefined ? {} : { body }),
    })
    assert.ok(answer.status < 300, answer.text)
  }
  const sunsetAt = new Date(Date.now() + 90 * DAY_MS).toISOString()
  await ask('PUT', '/operator/v1/lifecycle', [{ method: 'GET', path: '/spaces/tip/{spaceId}', sunsetAt }])
  await ask('POST', '/operator/keys/rotate')
  const other = await addClient(installation, [siteUuid], ['Spaces.Read'])
  await api(portico, '/v1/tenant/logo', { token: other.token, headers: { SiteId: siteUuid } })
  await ask('PATCH', `/operator/partners/${other.partner.partnerUuid}`, { enabled: false })
}

/** Readings that no maintenance has processed when the server stops. */
async function addLatest(installation: Installation, { meter }: SmallSite): Promise<void> {
  const reading = {
    deviceUuid: meter,
    metricType: 'electricity',
    timestamp: new Date(Date.now() - 1_000).toISOString(),
    value: 777.125,
  }
  await postReadings(installation, 'ndjson', write([reading], 'ndjson'))
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { changed } from '../support/fixtures/small-site.ts'
import { applyInventory } from '../support/servers/installation.ts'
import { SEEN_WITHIN_MS, startInstancesWithSite } from '../support/servers/instances.ts'
import { asObject, asString } from '../support/json.ts'
import type { Portico } from '../support/servers/portico.ts'
import { consoleToken, postFromPage, requestConsoleToken, signIn } from '../support/clients/console.ts'
import { addSecret, changePartner } from '../support/clients/operator.ts'
import { api, goodParameters, requestToken, tokenFor } from '../support/clients/requests.ts'
import { query } from '../support/clients/v2-client.ts'

const instances = await startInstancesWithSite()
after(() => instances.remove())
const { one, other, operator, house } = instances
const newClients = () => instances.addClients(house.siteUuid)

const soon = (assertion: () => Promise<void>): Promise<void> => eventually(assertion, SEEN_WITHIN_MS)
const statusAt = async (portico: Portico, token: string): Promise<number> =>
  (await api(portico, '/v2/sites', { token })).status

describe('a revocation through one instance takes effect on the other within seconds', () => {
  test('of a partner, by disabling it', async () => {
    const { partner, one: client } = await newClients()
    assert.equal(await statusAt(other, client.token), 200)
    await changePartner(one, operator, partner.partnerUuid, { enabled: false })
    assert.equal(await statusAt(one, client.token), 401)
    await soon(async () => assert.equal(await statusAt(other, client.token), 401))
  })

  test('of a secret, by removing it', async () => {
    const { partner } = await newClients()
    const right = goodParameters(partner.clientId, partner.clientSecret)
    assert.equal((await requestToken(other, right)).status, 200)
    await addSecret(one, operator, partner.partnerUuid)
    const path = `/operator/partners/${partner.partnerUuid}/secrets/${partner.secretId}`
    assert.equal((await api(one, path, { method: 'DELETE', token: operator })).status, 204)
    await soon(async () => assert.equal((await requestToken(other, right)).status, 401))
  })

  test('of a console session, by removing its secret or signing out', async () => {
    const { partner } = await newClients()
    await addSecret(one, operator, partner.partnerUuid)
    const left = await signIn(one, partner)
    const token = await consoleToken(other, left)
    assert.equal(await statusAt(other, token), 200)
    await postFromPage(one, '/console/session/end', { cookie: left })
    await soon(async () => assert.equal(await statusAt(other, token), 401))
    await soon(async () => assert.equal((await requestConsoleToken(other, left)).status, 401))

    const cookie = await signIn(one, partner)
    const second = await consoleToken(other, cookie)
    const path = `/operator/partners/${partner.partnerUuid}/secrets/${partner.secretId}`
    assert.equal((await api(one, path, { method: 'DELETE', token: operator })).status, 204)
    for (const portico of [one, other]) {
      await soon(async () => assert.equal((await requestConsoleToken(portico, cookie)).status, 401))
      await soon(async () => assert.equal(await statusAt(portico, second), 401))
    }
  })

  test('of a version 1 endpoint, by its sunset', async () => {
    const { one: client } = await newClients()
    const path = '/spaces/details/{spaceUuid}'
    const ask = (portico: Portico) =>
      api(portico, `/v1/spaces/details/${house.bedroom}`, {
        token: client.token,
        headers: { SiteId: house.siteUuid },
      })
    const sunset = async (sunsetAt: string | null): Promise<void> => {
      const list = await api(one, '/operator/v1/lifecycle', { token: operator })
      const row = (JSON.parse(list.text) as { method: string; path: string }[]).find(
        (known) => known.path.replace(/\{\w+\}/, '') === path.replace(/\{\w+\}/, ''),
      )
      assert.ok(row)
      const body = [{ method: row.method, path: row.path, sunsetAt }]
      const put = await api(one, '/operator/v1/lifecycle', { method: 'PUT', token: operator, body })
      assert.equal(put.status, 200, put.text)
    }
    const before = (await ask(other)).status
    assert.notEqual(before, 410)
    await sunset('2026-01-01T00:00:00Z')
    assert.equal((await ask(one)).status, 410)
    await soon(async () => assert.equal((await ask(other)).status, 410))
    await sunset(null)
    await soon(async () => assert.equal((await ask(other)).status, before))
  })
})

describe('a write through one instance is visible in the next response of the other', () => {
  test('an inventory', async () => {
    const { other: client } = await newClients()
    const readName = async () =>
      (await client.list('/spaces')).find(({ spaceUuid }) => spaceUuid === house.bedroom)?.['spaceName']
    assert.equal(await readName(), 'The bedroom')
    for (const name of ['Blue room', 'Green room', 'The bedroom']) {
      await applyInventory(instances.at(one), changed(house.document, 'spaces.0.spaceName', name))
      assert.equal(await readName(), name)
    }
  })

  test('a correction: in values and in the ETag', async () => {
    const { other: client } = await newClients()
    const send = async (value: number): Promise<void> => {
      const at = (hour: number) => `2026-05-01T${String(hour).padStart(2, '0')}:00:00Z`
      const line = (hour: number, register: number) => ({
        deviceUuid: house.meter,
        metricType: 'electricity',
        timestamp: at(hour),
        value: register,
      })
      const body = [line(0, 100), line(1, value), line(2, 200)]
      const answer = await api(one, '/operator/readings', { method: 'POST', token: operator, body })
      assert.equal(answer.status, 200, answer.text)
    }
    const range = { fromDateTime: '2026-05-01T00:00:00Z', toDateTime: '2026-05-01T02:00:00Z' }
    const path = `/spaces/${house.bedroom}/aggregate/electricity/hourly${query(range)}`
    let etag = ''
    for (const value of [110, 120, 150, 120]) {
      await send(value)
      const headers = etag === '' ? {} : { 'If-None-Match': etag }
      const answer = await client.send(path, { headers })
      assert.equal(answer.status, 200, 'what stood for the figures before does not stand for these')
      const series = (answer.json['timeSeries'] as { value: number }[]).map((point) => point.value)
      assert.deepEqual(series, [value - 100, 200 - value])
      etag = answer.headers.get('etag') ?? ''
      assert.equal((await client.send(path, { headers: { 'If-None-Match': etag } })).status, 304)
    }
  })
})

test('a list that one instance started can be paged through the other', async () => {
  const clients = await newClients()
  const first = await clients.one.get('/devices?limit=2')
  const { nextCursor } = asObject(first['pagination'])
  const rest = await clients.other.get(`/devices?limit=100&cursor=${asString(nextCursor)}`)
  const whole = await clients.one.get('/devices?limit=100')
  assert.deepEqual([first['data'], rest['data']].flat(), whole['data'])
})

test('a request sent to both concurrently with one key creates one command', async () => {
  const clients = await newClients()
  for (let round = 0; round < 5; round += 1) {
    const headers = { 'Idempotency-Key': randomUUID() }
    const body = { type: 'resume', clientReference: `round ${round}` }
    const answers = await Promise.all(
      [clients.one, clients.other, clients.one, clients.other].map((client) =>
        client.post(`/devices/${house.trv}/schedule`, body, headers),
      ),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
    assert.equal(new Set(answers.map(({ json }) => json['commandUuid'])).size, 1)
    const listed = await clients.other.list(`/devices/${house.trv}/commands?limit=100`)
    assert.equal(listed.filter((command) => command['clientReference'] === `round ${round}`).length, 1)
  }
})

test('version 1 calls are summed over the instances', async () => {
  const clients = await newClients()
  const call = (portico: Portico) =>
    api(portico, `/v1/spaces/details/${randomUUID()}`, {
      token: clients.one.token,
      headers: { SiteId: house.siteUuid },
    })
  for (let count = 0; count < 7; count += 1) await call(count % 2 === 0 ? one : other)
  const countedAt = async (client: typeof clients.one): Promise<number> =>
    (await client.list('/migration/usage')).reduce((sum, row) => sum + Number(row['calls']), 0)
  for (const client of [clients.one, clients.other])
    await soon(async () => assert.equal(await countedAt(client), 7))
})

// Must be the last test: it revokes the operator's token with all others.
test('signing keys are shared, and so is their revocation', async () => {
  const { partner, one: client } = await newClients()
  const keysAt = async (portico: Portico) => (await api(portico, '/auth/discovery/v2.0/keys')).text
  assert.equal(await keysAt(one), await keysAt(other))
  const body = { revokePrevious: true }
  const rotated = await api(one, '/operator/keys/rotate', { method: 'POST', token: operator, body })
  assert.equal(rotated.status, 200, rotated.text)
  const renewed = await tokenFor(one, partner.clientId, partner.clientSecret)
  assert.equal(await statusAt(other, renewed), 200, 'a new key is known immediately')
  await soon(async () => assert.equal(await statusAt(other, client.token), 401))
  await soon(async () => assert.equal(await keysAt(other), await keysAt(one)))
})

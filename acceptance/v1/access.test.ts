import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { stoppedClock } from '../support/preload/stopped-clock.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { asString } from '../support/json.ts'
import { api } from '../support/clients/requests.ts'
import { assertV1Error, everyPath, fillIds, v1Client } from '../support/clients/v1.ts'

const limits = {
  ...stoppedClock(),
  RATE_LIMIT: 'on',
  RATE_LIMIT_PER_MINUTE: '6',
  RATE_LIMIT_PER_5_MINUTES: '100',
}
const [installation, limited] = await Promise.all([startInstallation(), startInstallation(limits)])
after(() => Promise.all([installation.stop(), limited.stop()]))
const { portico } = installation

const house = makeSmallSite({ legacyId: 7 })
Object.assign(house.document.buildings[0] ?? {}, { legacyId: 12 })
Object.assign(house.document.spaces[0] ?? {}, { legacyId: 345 })
const foreign = makeSmallSite({ legacyId: 8 })
Object.assign(foreign.document.buildings[0] ?? {}, { legacyId: 13 })
Object.assign(foreign.document.spaces[0] ?? {}, { legacyId: 5346 })
for (const one of [installation, limited]) {
  await applyInventory(one, house.document)
  await applyInventory(one, foreign.document)
}
const client = await addClient(installation, [house.siteUuid])
const v1 = v1Client(client)
const ids = { spaceId: 345, buildingId: 12, siteId: 7 }
const details = '/spaces/details/345'

describe('authorisation', () => {
  test('no token, a bad one: 401 with the challenge', async () => {
    const SiteId = house.siteUuid
    for (const path of [...everyPath.map((one) => fillIds(one, ids)), '/nothing', '']) {
      const missing = await api(portico, `/v1${path}`, { headers: { SiteId } })
      assertV1Error(missing, 401)
      assert.match(missing.headers.get('www-authenticate') ?? '', /^Bearer\b/)
    }
    assertV1Error(await v1.send(details, { token: 'a.b.c' }), 401)
  })

  test('without the role V1.Read: 403', async () => {
    const other = v1Client(await addClient(installation, [house.siteUuid], ['Spaces.Read', 'Devices.Read']))
    for (const path of everyPath) {
      assert.match(assertV1Error(await other.send(fillIds(path, ids)), 403), /V1\.Read/)
    }
  })

  test('the role V1.Read alone is enough', async () => {
    const reader = v1Client(await addClient(installation, [house.siteUuid], ['V1.Read']))
    assert.equal((await reader.send(details)).status, 200)
  })

  test('SiteId missing or not a UUID: 400; a site that is not granted and one that does not exist: the same 403', async () => {
    for (const SiteId of ['', '7', 'x']) {
      assert.match(assertV1Error(await v1.send(details, { headers: { SiteId } }), 400), /SiteId/)
    }
    const messages = [foreign.siteUuid, randomUUID()].map(async (SiteId) =>
      assertV1Error(await v1.send(details, { headers: { SiteId } }), 403),
    )
    const [one, other] = await Promise.all(messages)
    assert.equal(one, other)
  })
})

describe('identifiers', () => {
  const withId = everyPath.filter((path) => path.includes('{'))

  for (const path of withId) {
    test(`GET /v1${path}: not an integer from 1 to 2147483647 is 400`, async () => {
      for (const id of ['0', '-1', '1.5', '01', 'x', '2147483648', '99999999999', house.bedroom, '%20']) {
        const address = path.replace(/\{\w+\}/, id)
        assert.match(assertV1Error(await v1.send(address), 400), /integer from 1 to 2147483647/, address)
      }
    })

    test(`GET /v1${path}: an id of another site is like one that does not exist`, async () => {
      const ofOther = fillIds(path, { spaceId: 5346, buildingId: 13, siteId: 8 })
      const ofNobody = fillIds(path, { spaceId: 2147483647, buildingId: 2147483647, siteId: 2147483647 })
      const [one, other] = [await v1.send(ofOther), await v1.send(ofNobody)]
      assert.equal(assertV1Error(one, 404), assertV1Error(other, 404))
    })
  }
})

describe('the query', () => {
  test('an unknown parameter is 400 on every endpoint', async () => {
    for (const path of everyPath) {
      const answer = await v1.send(`${fillIds(path, ids)}?fromDateTime=2026-01-01`)
      assert.match(assertV1Error(answer, 400), /fromDateTime is unknown/, path)
    }
  })

  for (const [query, about] of [
    ['from=2026-1-1', /from/],
    ['from=2026-01-01T00:00:00Z', /from/],
    ['from=2026-02-30', /from/],
    ['to=1969-12-31', /to/],
    ['from=2026-01-02&to=2026-01-02', /from/],
    ['from=2026-01-02&to=2026-01-01', /from/],
    ['from=2190-01-01', /from/],
    ['from=2026-01-01&from=2026-01-02', /from/],
    ['from=', /from/],
  ] as const) {
    test(`a history rejects ${query}`, async () => {
      const answer = await v1.send(`/spaces/utilities/345/history?${query}`)
      assert.match(assertV1Error(answer, 400), about)
    })
  }

  test('the bounds are those of version 2: 366 days, 60 months, 31 days by the hour', async () => {
    const cases = [
      ['/spaces/utilities/345/history', '2025-01-01', '2026-01-02', /366 days/],
      ['/spaces/multiSensor/345/history', '2025-01-01', '2026-01-03', /366 days/],
      ['/spaces/carbonEmissions/345', '2025-01-01', '2026-01-03', /366 days/],
      ['/spaces/utilities/345/monthly', '2020-01-01', '2025-02-01', /60 months/],
      ['/buildings/occupancy/12/history', '2026-01-01', '2026-02-02', /31 days/],
      ['/sites/occupancy/7/history', '2026-01-01', '2026-02-02', /31 days/],
    ] as const
    for (const [path, from, to, bound] of cases) {
      const end = Temporal.PlainDate.from(to).add({ days: 1 }).toString()
      assert.match(assertV1Error(await v1.send(`${path}?from=${from}&to=${end}`), 400), bound)
    }
  })
})

describe('other HTTP behaviour', () => {
  test('another method is 405 with Allow', async () => {
    for (const path of everyPath) {
      const answer = await v1.send(fillIds(path, ids), { method: 'POST', body: {} })
      assertV1Error(answer, 405)
      assert.equal(answer.headers.get('allow'), 'GET, HEAD')
    }
  })

  test('an unknown path is 404, a malformed one 400, in the format of version 1', async () => {
    for (const path of ['', '/', '/nothing', '/spaces', '/spaces/details', `${details}/x`])
      assertV1Error(await v1.send(path), 404)
    assertV1Error(await v1.send('/spaces/details/%E0%A4%A'), 400)
    assertV1Error(await v1.send(`/spaces/details/${'9'.repeat(9000)}`), 414)
  })

  test('a caller that does not accept JSON gets 406', async () => {
    assertV1Error(await v1.send(details, { headers: { accept: 'text/csv' } }), 406)
  })

  test('a response has an ETag that is matched again; a long one is compressed', async () => {
    const first = await v1.send(details)
    const headers = { 'if-none-match': asString(first.headers.get('etag')) }
    const second = await v1.send(details, { headers })
    assert.deepEqual([second.status, second.text], [304, ''])
    assert.match(second.headers.get('deprecation') ?? '', /^@/)
    const long = await v1.send('/sites/occupancy/7/history', { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(long.headers.get('content-encoding'), 'gzip')
    assert.notEqual(long.json['data'], undefined)
  })

  test('both versions share one limit, and 429 has the format of version 1', async () => {
    const both = await addClient(limited, [house.siteUuid])
    const old = v1Client(both)
    for (let index = 0; index < 3; index++) {
      assert.equal((await both.send('/spaces')).status, 200)
      assert.equal((await old.send(details)).status, 200)
    }
    const refused = await old.send(details)
    assertV1Error(refused.status === 429 ? refused : await old.send(details), 429)
    assert.match((await old.send(details)).headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal((await both.send('/spaces')).status, 429)
  })
})

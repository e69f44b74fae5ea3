import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { asObject, type JsonObject } from '../support/json.ts'
import { api, send } from '../support/clients/requests.ts'
import {
  awaiting,
  everyPath,
  fillIds,
  parseLinks,
  replaced,
  retiring,
  listSuccessors,
  v1Client,
} from '../support/clients/v1.ts'

const installation = await startInstallation()
after(() => installation.stop())
const { portico, operator } = installation

const house = makeSmallSite({ legacyId: 7 })
Object.assign(house.document.buildings[0] ?? {}, { legacyId: 12 })
Object.assign(house.document.spaces[0] ?? {}, { legacyId: 345 })
await applyInventory(installation, house.document)
const client = await addClient(installation, [house.siteUuid])
const v1 = v1Client(client)
const ids = { spaceId: 345, buildingId: 12, siteId: 7 }
const ofImages = ['/tenant/logo', '/building/image/{buildingId}']

const document = asObject(JSON.parse((await send(`${portico.origin}/openapi/v1.json`)).text))

describe('the three lists of section 4.3', () => {
  test('are all of version 1: the operator table and the API description have exactly them, in that order', async () => {
    const answer = await api(portico, '/operator/v1/lifecycle', { token: operator })
    const rows = JSON.parse(answer.text) as JsonObject[]
    assert.deepEqual(
      rows.map(({ method, path, state, replacement }) => [method, path, state, replacement]),
      [
        ...replaced.map(([path, replacement]) => ['GET', path, 'replaced', replacement]),
        ...awaiting.map((path) => ['GET', path, 'awaiting-v2', null]),
        ...retiring.map((path) => ['GET', path, 'retiring', null]),
      ],
    )
    assert.deepEqual(Object.keys(asObject(document['paths'])).toSorted(), everyPath.toSorted())
  })

  for (const path of everyPath) {
    test(`GET /v1${path} is served`, async () => {
      const answer = await v1.send(fillIds(path, ids))
      assert.equal(answer.status, ofImages.includes(path) ? 404 : 200, answer.text)
      assert.equal(answer.headers.get('api-version'), '1')
      const operation = asObject(asObject(asObject(document['paths'])[path])['get'])
      assert.equal(operation['deprecated'] ?? false, !awaiting.includes(path))
    })
  }
})

describe('what each response says about its endpoint', () => {
  for (const [path, replacement] of replaced) {
    test(`GET /v1${path} is deprecated and names its successor`, async () => {
      const answer = await v1.send(fillIds(path, ids))
      assert.match(answer.headers.get('deprecation') ?? '', /^@\d+$/)
      assert.equal(answer.headers.get('sunset'), null)
      const metrics = path.includes('multiSensor') ? ['temperature', 'co2'] : ['electricity']
      if (path.includes('performance')) metrics.splice(0, 1, 'performance')
      const expected = replacement.includes('{metrictype}')
        ? metrics.map((metric) => replacement.replace('{metrictype}', metric))
        : [replacement]
      const successors = listSuccessors(answer)
      assert.deepEqual(
        successors.map((address) => address.split('?', 1)[0]),
        expected.map((target) => `${portico.baseUrl}${target.replace('{spaceuuid}', house.bedroom)}`),
      )
      for (const address of successors) {
        const next = await api(portico, address.slice(portico.url.length), {
          token: client.token,
          headers: { SiteId: house.siteUuid },
        })
        assert.equal(next.status, 200, `${address}: ${next.text}`)
      }
    })
  }

  for (const path of awaiting) {
    test(`GET /v1${path} is not deprecated and has no successor yet`, async () => {
      const { headers } = await v1.send(fillIds(path, ids))
      assert.deepEqual(
        ['deprecation', 'sunset', 'link'].map((name) => headers.get(name)),
        [null, null, null],
      )
    })
  }

  for (const path of retiring) {
    test(`GET /v1${path} is deprecated and has no successor`, async () => {
      const answer = await v1.send(fillIds(path, ids))
      assert.match(answer.headers.get('deprecation') ?? '', /^@\d+$/)
      assert.deepEqual(listSuccessors(answer), [])
      assert.deepEqual(
        parseLinks(answer).map(({ rel }) => rel),
        ['deprecation'],
      )
    })
  }

  test('the deprecation link is a page of this server that lists them all', async () => {
    const [link] = parseLinks(await v1.send(fillIds('/spaces/details/{spaceId}', ids)))
    assert.equal(link?.rel, 'deprecation')
    const page = await send(`${portico.origin}${link.address.slice(portico.url.length)}`)
    assert.equal(page.status, 200)
    for (const path of everyPath) assert.ok(page.text.includes(path), path)
  })

  test('a space without measurements has no successor metric', async () => {
    const { spaces } = house.document
    const bare = spaces.findIndex(({ spaceUuid }) => spaceUuid === house.studio)
    Object.assign(spaces[bare] ?? {}, { legacyId: 999 })
    await applyInventory(installation, house.document)
    const answer = await v1.send('/spaces/utilities/999')
    assert.deepEqual(Object.keys(answer.json), ['spaceId', 'timestamp'])
    assert.deepEqual(listSuccessors(answer), [])
  })
})

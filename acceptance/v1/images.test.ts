import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, startDemo, startInstallation } from '../support/servers/installation.ts'
import { asArray, asObject, asString } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { type Answer, api, send } from '../support/clients/requests.ts'
import { assertV1Error, v1Client } from '../support/clients/v1.ts'

const [installation, demo] = await Promise.all([startInstallation(), startDemo()])
after(() => Promise.all([installation.stop(), demo.stop()]))
const { portico, operator } = installation

const house = makeSmallSite()
Object.assign(house.document.buildings[0] ?? {}, { legacyId: 12 })
await applyInventory(installation, house.document)
const client = await addClient(installation, [house.siteUuid])
const v1 = v1Client(client)
const ofBuilding = `/operator/buildings/${house.buildingUuid}/image`

const latin1 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'))
const images: Record<string, Uint8Array<ArrayBuffer>> = {
  'image/png': latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xfe'),
  'image/jpeg': latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\xff'),
  'image/webp': latin1('RIFF\x1a\0\0\0WEBPVP8L\xff'),
  'image/svg+xml': latin1('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>'),
}

const put = (path: string, type: string | undefined, body: Uint8Array<ArrayBuffer>): Promise<Answer> =>
  send(`${portico.origin}${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operator}`, ...(type === undefined ? {} : { 'content-type': type }) },
    body,
  })

async function fetchBytes(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${portico.origin}/v1${path}`, {
    headers: { authorization: `Bearer ${client.token}`, SiteId: client.siteId, ...headers },
  })
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

describe('the logo and the image of a building', () => {
  test('are 404 if there is none', async () => {
    assertV1Error(await v1.send('/tenant/logo'), 404)
    assertV1Error(await v1.send('/building/image/12'), 404)
  })

  for (const [type, body] of Object.entries(images)) {
    test(`${type} is returned byte for byte, with its type and an ETag`, async () => {
      for (const [into, from] of [
        ['/operator/tenant/logo', '/tenant/logo'],
        [ofBuilding, '/building/image/12'],
      ] as const) {
        const stored = await put(into, type, body)
        assert.equal(stored.status, 204, stored.text)
        const { response, bytes } = await fetchBytes(from)
        assert.equal(response.status, 200)
        assert.equal(response.headers.get('content-type'), type)
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
        assert.match(response.headers.get('content-security-policy') ?? '', /sandbox/)
        assert.equal(response.headers.get('api-version'), '1')
        assert.deepEqual(bytes, body)
        const again = await fetchBytes(from, { 'if-none-match': asString(response.headers.get('etag')) })
        assert.deepEqual([again.response.status, again.bytes.length], [304, 0])
      }
    })
  }

  test('two MiB are accepted, one byte more is 413', async () => {
    const large = new Uint8Array(2 * 1024 * 1024)
    large.set(images['image/png'] ?? [])
    assert.equal((await put('/operator/tenant/logo', 'image/png', large)).status, 204)
    assert.deepEqual((await fetchBytes('/tenant/logo')).bytes.length, large.length)
    const larger = new Uint8Array(large.length + 1)
    larger.set(large)
    assertProblem(portico, await put('/operator/tenant/logo', 'image/png', larger), 413)
  })

  test('another type, no type, and bytes that do not match their type are 415', async () => {
    const png = images['image/png'] ?? latin1('')
    for (const [type, body] of [
      ['image/gif', latin1('GIF89a')],
      ['application/json', latin1('{}')],
      ['text/html', latin1('<html>')],
      [undefined, png],
      ['image/jpeg', png],
      ['image/svg+xml', latin1('<html><svg></svg></html>')],
      ['image/png', latin1('nothing')],
    ] as const)
      assertProblem(portico, await put('/operator/tenant/logo', type, body), 415)
  })

  test('an empty body is 400, an unknown building 404', async () => {
    assertProblem(portico, await put('/operator/tenant/logo', 'image/png', latin1('')), 400)
    const unknown = `/operator/buildings/${randomUUID()}/image`
    assertProblem(portico, await put(unknown, 'image/png', images['image/png'] ?? latin1('')), 404)
  })

  test('only an operator can set them, and it is in the audit log', async () => {
    const answer = await send(`${portico.origin}${ofBuilding}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'image/png' },
      body: images['image/png'] ?? null,
    })
    assertProblem(portico, answer, 403)
    await put(ofBuilding, 'image/png', images['image/png'] ?? latin1(''))
    const { json } = await api(portico, '/operator/audit?limit=1', { token: operator })
    const entry = asObject(asArray(json['data'])[0])
    assert.deepEqual([entry['action'], entry['target']], ['building.image-set', house.buildingUuid])
  })
})

describe('the demo', () => {
  test('has a logo and an image of each building', async () => {
    const old = v1Client(demo.client)
    const inventory = await api(demo.portico, `/operator/inventory/${demo.client.siteId}`, {
      token: demo.operator,
    })
    const buildings = asArray(inventory.json['buildings']).map(asObject)
    assert.ok(buildings.length > 0)
    for (const path of [
      '/tenant/logo',
      ...buildings.map(({ legacyId }) => `/building/image/${Number(legacyId)}`),
    ]) {
      const answer = await old.send(path)
      assert.equal(answer.status, 200, path)
      assert.equal(answer.headers.get('content-type'), 'image/svg+xml')
      assert.match(answer.text, /^<svg /)
    }
  })
})

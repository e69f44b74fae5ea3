import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sendForBytes } from '../support/clients/http-bytes.ts'
import { asArray, asObject, parseJson } from '../support/json.ts'
import { makeSiteWithRecords } from '../support/overload/many-records.ts'
import { startPortico } from '../support/servers/portico.ts'
import { api, operatorToken } from '../support/clients/requests.ts'

const DEVICES = 1_050
const SPACES = 305

const portico = await startPortico()
after(() => portico.stop())
const client = await makeSiteWithRecords(portico, { devices: DEVICES, spaces: SPACES })

describe('a list of many records', () => {
  for (const path of ['/devices', '/spaces', '/migration/id-map?type=space']) {
    for (const [name, accept] of [
      ['JSON', 'application/json'],
      ['CSV', 'text/csv'],
    ] as const) {
      test(`is the same in every coding, with an ETag of its content: ${path} as ${name}`, async () => {
        const plain = await sendForBytes(client, path, { headers: { accept } })
        assert.equal(plain.status, 200)
        assert.equal(plain.headers['content-length'], String(plain.bytes.length))
        assert.equal(plain.headers.etag, `"${createHash('sha1').update(plain.bytes).digest('base64url')}"`)
        const codings = { gzip: gunzipSync, br: brotliDecompressSync }
        for (const [coding, decode] of Object.entries(codings)) {
          const headers = { accept, 'accept-encoding': coding }
          const coded = await sendForBytes(client, path, { headers })
          assert.equal(coded.headers['content-encoding'], coding)
          assert.equal(coded.headers.etag, plain.headers.etag.replace(/"$/, `-${coding}"`))
          assert.deepEqual(decode(coded.bytes), plain.bytes)
        }
      })
    }
  }

  test('contains every record once, in order, and ends like any list', async () => {
    const { bytes } = await sendForBytes(client, '/devices')
    const text = bytes.toString()
    const { data, pagination } = asObject(parseJson(text))
    const names = asArray(data).map((record) => String(asObject(record)['deviceName']))
    assert.equal(names.length, DEVICES)
    assert.deepEqual(names, names.toSorted())
    assert.deepEqual(pagination, { nextCursor: null, hasMore: false })
    assert.equal(text, JSON.stringify(parseJson(text)))
    const csv = (await sendForBytes(client, '/devices', { headers: { accept: 'text/csv' } })).bytes.toString()
    assert.equal(csv.split('\r\n').length, DEVICES + 2)
  })

  test('is not sent again to a client that has it', async () => {
    const { headers } = await sendForBytes(client, '/devices')
    const again = await sendForBytes(client, '/devices', { headers: { 'if-none-match': headers.etag ?? '' } })
    assert.equal(again.status, 304)
    assert.equal(again.bytes.length, 0)
    assert.equal(again.headers['content-length'], undefined)
  })

  test('has the same headers for HEAD as for GET', async () => {
    const get = await sendForBytes(client, '/devices')
    const head = await sendForBytes(client, '/devices', { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.equal(head.bytes.length, 0)
    assert.equal(head.headers['content-length'], get.headers['content-length'])
    assert.equal(head.headers.etag, get.headers.etag)
  })

  test('leaves the connection usable', async () => {
    const pages = await client.listAll('/devices')
    assert.equal(pages.length, DEVICES)
    assert.equal((await client.list('/devices')).length, DEVICES)
    assert.equal((await client.list('/spaces')).length, SPACES)
  })
})

test('the inventory of a large site can be applied again as it was read', async () => {
  const token = await operatorToken(portico)
  const exported = await api(portico, `/operator/inventory/${client.siteId}`, { token })
  assert.equal(exported.status, 200)
  assert.equal(exported.text, JSON.stringify(exported.json))
  assert.equal(asArray(exported.json['devices']).length, DEVICES)
  const applied = await api(portico, '/operator/inventory', { method: 'PUT', token, body: exported.json })
  assert.equal(applied.status, 200, applied.text)
})

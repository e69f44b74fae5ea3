import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { asObject, parseJson } from '../support/json.ts'
import { fill, openConnection, type RawRequest, toBytes } from '../support/overload/raw-connection.ts'
import { scale } from '../support/overload/scale.ts'
import { watchServer } from '../support/overload/watch-server.ts'
import { startPortico } from '../support/servers/portico.ts'
import { api, demoToken, goodParameters, operatorToken } from '../support/clients/requests.ts'

// Without rate limits, every request of an attack gets a full response.
const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

const { SITE_ID, CLIENT_ID, CLIENT_SECRET } = portico.demoEnv
const partner = { Authorization: `Bearer ${await demoToken(portico)}`, SiteId: SITE_ID }
const operator = { Authorization: `Bearer ${await operatorToken(portico)}` }
const tokenRequest: RawRequest = {
  method: 'POST',
  path: '/auth/oauth2/v2.0/token',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(goodParameters(CLIENT_ID, CLIENT_SECRET)).toString(),
}

const CONNECTIONS = 20
const ATTACK_BYTES = 57_000

/** The largest responses of every surface. */
const attacks: [name: string, request: RawRequest][] = [
  ['the quickstart', { path: '/' }],
  ['the error pages', { path: '/errors' }],
  ['the API reference', { path: '/reference' }],
  ['documents of the API reference', { path: '/reference/documents/v2.json' }],
  ['the OpenAPI document of version 2', { path: '/openapi/v2.json' }],
  [
    'the OpenAPI document of version 1, compressed',
    { path: '/openapi/v1.json', headers: { 'Accept-Encoding': 'gzip' } },
  ],
  ['the discovery document', { path: '/auth/v2.0/.well-known/openid-configuration' }],
  ['tokens', tokenRequest],
  ['version 2 without a token', { path: '/v2/devices' }],
  ['the devices of version 2', { path: '/v2/devices', headers: partner }],
  [
    'the spaces of version 2, compressed',
    { path: '/v2/spaces', headers: { ...partner, 'Accept-Encoding': 'br' } },
  ],
  ['version 1', { path: '/v1/sites/1/weather', headers: partner }],
  ['the operator API', { path: `/operator/inventory/${SITE_ID}`, headers: operator }],
]

describe('pipelined requests whose responses are not read', () => {
  for (const [name, request] of attacks) {
    test(`use no extra memory and do not delay other clients: ${name}`, async () => {
      const watch = await watchServer(portico, { path: '/v2/sites', headers: partner })
      const bytes = fill(request, ATTACK_BYTES)
      const connections = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => openConnection(portico)),
      )
      for (const { socket } of connections) socket.write(bytes)
      await sleep(scale(600, 20_000))
      for (const { socket } of connections) socket.destroy()
      const report = await watch.stop()
      assert.ok(report.growthMb < 150, `the server grew by ${report.growthMb} MB`)
      assert.ok(report.maxMs < 5_000, `a request of another client took ${report.maxMs} ms`)
    })
  }
})

describe('pipelined requests', () => {
  test('are answered in order, each with its own body', async () => {
    const paths = ['/v2/devices', '/live', '/v2/spaces', '/errors/not-found', '/v2/nothing', '/v2/sites']
    const token = await demoToken(portico)
    const expected = await Promise.all(
      paths.map((path) => api(portico, path, { token, headers: { SiteId: SITE_ID } })),
    )
    const connection = await openConnection(portico)
    connection.socket.write(paths.map((path) => toBytes({ path, headers: partner })).join(''))
    const responses = await connection.read(paths.length)
    assert.deepEqual(
      responses.map(({ status }) => status),
      expected.map(({ status }) => status),
    )
    for (const [index, { body }] of responses.entries()) {
      if (paths[index] !== '/v2/nothing') assert.equal(body, expected[index]?.text)
    }
    connection.socket.destroy()
  })

  test('with bodies reach their routes, even if a body arrives in pieces', async () => {
    const connection = await openConnection(portico)
    const bytes = toBytes(tokenRequest) + toBytes({ path: '/live' }) + toBytes(tokenRequest)
    connection.socket.write(bytes.slice(0, -20))
    await sleep(100)
    connection.socket.write(bytes.slice(-20) + toBytes({ path: '/live' }))
    const responses = await connection.read(4)
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    for (const index of [0, 2]) {
      const { access_token: token } = asObject(parseJson(responses[index]?.body ?? ''))
      assert.equal(typeof token, 'string')
    }
    connection.socket.destroy()
  })

  test('are all answered when hundreds of them, each with a token, are sent without waiting', async () => {
    const connection = await openConnection(portico)
    const bytes = toBytes({ path: '/v2/sites', headers: partner })
    for (let sent = 0; sent < 300; sent += 1) connection.socket.write(bytes)
    const responses = await connection.read(300)
    assert.ok(responses.every(({ status }) => status === 200))
    connection.socket.destroy()
  })

  test('after one with Connection: close are not processed', async () => {
    const connection = await openConnection(portico)
    connection.socket.write(
      toBytes({ path: '/live', headers: { Connection: 'close' } }) + toBytes({ path: '/ready' }),
    )
    const [first] = await connection.read(1)
    assert.equal(first?.status, 200)
    assert.equal(first.headers['connection'], 'close')
    await connection.ended
  })

  test('before bytes that are not a request are answered first', async () => {
    const connection = await openConnection(portico)
    const good = toBytes({ path: '/v2/devices', headers: partner })
    connection.socket.write(`${good}${good}GARBAGE\r\n\r\n`)
    const responses = await connection.read(3)
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 400],
    )
    await connection.ended
  })

  test('beyond a hundred waiting ones close the connection, after those have been answered', async () => {
    const connection = await openConnection(portico)
    connection.socket.write(fill({ path: '/ready' }, 60_000))
    const responses = await connection.read(101)
    assert.ok(responses.every(({ status }) => status === 200))
    assert.equal(responses.at(-1)?.headers['connection'], 'close')
    await connection.ended
  })

  test('of a client that has disconnected leave nothing behind', async () => {
    for (let round = 0; round < 20; round += 1) {
      const connection = await openConnection(portico)
      connection.socket.write(toBytes({ path: '/v2/devices', headers: partner }).repeat(10))
      await sleep(round)
      connection.socket.resetAndDestroy()
    }
    assert.equal((await api(portico, '/live')).status, 200)
  })
})

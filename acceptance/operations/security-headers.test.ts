import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { makeDevCert } from '../support/servers/dev-cert.ts'
import { asString } from '../support/json.ts'
import { makeTempDir, type Portico, startPortico } from '../support/servers/portico.ts'
import { type RawAnswer, sendBytes, sendRequest } from '../support/clients/raw-http.ts'
import { demoToken, goodParameters, send } from '../support/clients/requests.ts'
import { openConnection } from '../support/overload/raw-connection.ts'
import { v2Client } from '../support/clients/v2-client.ts'

describe('without TLS', () => {
  let portico: Portico
  before(async () => {
    portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
  })
  after(() => portico.stop())

  const assertHeaders = (answer: RawAnswer): void => {
    const found = answer.headers.filter(([name]) => name === 'x-content-type-options')
    assert.deepEqual(found, [['x-content-type-options', 'nosniff']])
    // RFC 6797, 7.2: never over plain HTTP.
    assert.equal(answer.header('strict-transport-security'), undefined)
  }

  test('every surface sends nosniff', async () => {
    const paths = [
      '/',
      '/live',
      '/ready',
      '/reference',
      '/openapi/v2.json',
      '/errors/not-found',
      '/nothing',
      '/%zz',
      '/v1/logo',
      '/v2/sites',
      '/v2/nothing',
      '/operator/partners',
      '/auth/discovery/v2.0/keys',
      '/auth/error?code=700016',
    ]
    for (const path of paths)
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PROPFIND'])
        assertHeaders(await sendRequest(portico, { method, path }))
  })

  test('reads, unchanged reads and images too', async () => {
    const token = await demoToken(portico)
    const { SITE_ID } = portico.demoEnv
    const [space] = await v2Client(portico, token, SITE_ID).list('/spaces?limit=1')
    const range = 'fromDateTime=2026-01-01T00:00:00Z&toDateTime=2026-01-02T00:00:00Z'
    const series = `/v2/spaces/${asString(space?.['spaceUuid'])}/aggregate/electricity/hourly?${range}`
    for (const path of [series, '/v2/spaces', '/v2/nothing', '/v1/logo']) {
      const headers: [string, string][] = [
        ['Authorization', `Bearer ${token}`],
        ['SiteId', SITE_ID],
      ]
      const answer = await sendRequest(portico, { path, headers })
      assertHeaders(answer)
      const etag = answer.header('etag')
      if (etag === undefined) continue
      const unchanged = await sendRequest(portico, { path, headers: [...headers, ['If-None-Match', etag]] })
      assert.equal(unchanged.status, 304)
      assertHeaders(unchanged)
    }
  })

  test('tokens and rejected credentials too', async () => {
    const { CLIENT_ID, CLIENT_SECRET } = portico.demoEnv
    for (const [secret, status] of [
      [CLIENT_SECRET, 200],
      ['wrong', 401],
    ] as const) {
      const answer = await sendRequest(portico, {
        method: 'POST',
        path: '/auth/oauth2/v2.0/token',
        headers: [['Content-Type', 'application/x-www-form-urlencoded']],
        body: new URLSearchParams(goodParameters(CLIENT_ID, secret)).toString(),
      })
      assert.equal(answer.status, status)
      assertHeaders(answer)
    }
  })

  test('malformed requests too', async () => {
    assertHeaders(await sendBytes(portico, 'nonsense\r\n\r\n'))
    assertHeaders(await sendBytes(portico, `GET / HTTP/1.1\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`))
    assertHeaders(await sendBytes(portico, 'GET / HTTP/1.1\r\n\r\n'))
  })
})

test('with TLS, every response has Strict-Transport-Security', async () => {
  const folder = await makeTempDir()
  const files = await makeDevCert(folder)
  const portico = await startPortico({ demo: false, tls: { cert: files.certFile, key: files.keyFile } })
  for (const path of ['/', '/live', '/nothing', '/v2/sites', '/auth/oauth2/v2.0/token']) {
    const { headers } = await send(`${portico.url}${path}`)
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
  }
  const connection = await openConnection(portico)
  connection.socket.write('nonsense\r\n\r\n')
  const [malformed] = await connection.read(1)
  assert.equal(malformed?.status, 400)
  assert.equal(malformed.headers['strict-transport-security'], 'max-age=31536000')
  connection.socket.destroy()
  await portico.stop()
  await rm(folder, { recursive: true })
})

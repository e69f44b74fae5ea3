import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { loadConfig } from '../../../src/config/config.ts'
import { buildApp } from '../../../src/http/app.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { createServices } from '../../../src/process/services.ts'
import { openStore } from '../../../src/store/open.ts'
import { temporaryFolder } from '../../support/folder.ts'

test('while the server is not ready, version 1 and the console respond in their own formats', async (t) => {
  const config = loadConfig({ data: temporaryFolder(t) }, {})
  const store = openStore(config)
  const { services } = createServices(
    config,
    { http: 8080, mqtt: 1883, mqtts: undefined },
    store,
    createLog('silent'),
  )
  services.health.waitFor('a test')
  const { server } = buildApp(services, { tls: undefined, trustProxy: false, connectionsPerAddress: 1 })
  t.after(async () => {
    server.close()
    await store.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (const path of ['/v1/tenant/logo', '/v1/nothing', '/v1', '/%761/nothing']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    const { status, headers } = response
    assert.equal(status, 503)
    assert.equal(headers.get('api-version'), '1')
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
    assert.match(headers.get('retry-after') ?? '', /^\d+$/)
    assert.deepEqual(Object.keys((await response.json()) as object), ['status', 'message', 'traceId'])
  }
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const page = await fetch(`http://127.0.0.1:${port}/console/operator`, { headers: { accept } })
  assert.equal(page.status, 503)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self'/)
  assert.match(page.headers.get('retry-after') ?? '', /^\d+$/)
  assert.match(await page.text(), /<meta http-equiv="refresh" content="5">[^]*The server is not ready/)
  const token = await fetch(`http://127.0.0.1:${port}/console/token`, { method: 'POST', headers: { accept } })
  assert.deepEqual(
    [token.status, token.headers.get('content-type')],
    [503, 'application/problem+json; charset=utf-8'],
  )
})

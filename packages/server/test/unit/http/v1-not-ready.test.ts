import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../../src/config/config.ts'
import { buildApp } from '../../../src/http/app.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { createServices } from '../../../src/process/services.ts'
import { openStore } from '../../../src/store/open.ts'
import { temporaryFolder } from '../../support/folder.ts'

test('while the server is not ready, version 1 responds in its own error format', async (t) => {
  const config = loadConfig({ data: temporaryFolder(t) }, {})
  const store = openStore(config)
  const { services } = createServices(config, 8080, store, createLog('silent'))
  services.health.waitFor('a test')
  const app = await buildApp(services, { tls: undefined, trustProxy: false, connectionsPerAddress: 1 })
  t.after(async () => {
    await app.close()
    await store.close()
  })
  for (const url of ['/v1/tenant/logo', '/v1/nothing', '/v1']) {
    const { statusCode, headers, body } = await app.inject(url)
    assert.equal(statusCode, 503)
    assert.equal(headers['api-version'], '1')
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.match(String(headers['retry-after']), /^\d+$/)
    assert.deepEqual(Object.keys(JSON.parse(body) as object), ['status', 'message', 'traceId'])
  }
})

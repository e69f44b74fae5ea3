import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startInstances } from '../support/servers/instances.ts'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'

const instances = await startInstances()
after(() => instances.remove())

test('a second instance without an external broker fails to start with one line', async () => {
  const dataDir = await makeTempDir()
  const env = { DATABASE_URL: instances.databaseUrl }
  const { code, stdout, stderr } = await runPortico(['serve', '--port', '0'], { dataDir, env })
  assert.equal(code, 2)
  assert.equal(stdout, '')
  assert.match(stderr, /^portico: [^\n]*set MQTT_URL on each\n$/)
})

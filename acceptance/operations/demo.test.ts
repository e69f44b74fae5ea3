import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { demoEnvPath } from '../support/demo-env.ts'
import { applyInventory, exportInventory } from '../support/installation.ts'
import { asArray, asObject, parseJson } from '../support/json.ts'
import { makeDemoDir, makeTempDir, removeDataDir, runPortico, startPortico } from '../support/portico.ts'
import { operatorToken } from '../support/requests.ts'

test('what an operator changed on the demo site is still so after the next start', async () => {
  const dataDir = await makeDemoDir()
  const first = await startPortico({ dataDir })
  const siteId = first.demoEnv.SITE_ID
  const installation = { portico: first, operator: await operatorToken(first), stop: async () => {} }
  const document = await exportInventory(installation, siteId)
  const renamed = { ...document, site: { ...document.site, siteName: 'Renamed Court' } }
  await applyInventory(installation, renamed)
  await first.stop()

  const second = await startPortico({ dataDir, port: first.port })
  const again = { portico: second, operator: await operatorToken(second), stop: async () => {} }
  assert.equal((await exportInventory(again, siteId)).site['siteName'], 'Renamed Court')
  await second.stop()
  await removeDataDir(dataDir)
})

test('on a store in use the demo adds nothing, and says so', async () => {
  const dataDir = await makeTempDir()
  const added = await runPortico(['partner', 'add', '--name', 'Platform team', '--role', 'Operator'], {
    dataDir,
  })
  assert.equal(added.code, 0, added.stderr)
  const portico = await startPortico({ demo: false, dataDir, args: ['--demo'] })
  assert.match(portico.output(), /in use and not a demo’s/)
  assert.ok(!existsSync(demoEnvPath(dataDir)))
  await portico.stop()
  const { stdout } = await runPortico(['partner', 'list', '--json'], { dataDir })
  const names = asArray(asObject(parseJson(stdout))['data']).map((partner) => asObject(partner)['name'])
  assert.deepEqual(names, ['Platform team'])
  await removeDataDir(dataDir)
})

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { demoEnvPath } from '../support/servers/demo-env.ts'
import { days, todayHere } from '../support/oracles/demo-series.ts'
import { eventually } from '../support/eventually.ts'
import { applyInventory, exportInventory } from '../support/servers/installation.ts'
import { asArray, asObject, asString, parseJson } from '../support/json.ts'
import {
  makeDemoDir,
  makeTempDir,
  type Portico,
  removeDataDir,
  runPortico,
  startPortico,
} from '../support/servers/portico.ts'
import { readCookie, requestConsoleToken } from '../support/clients/console.ts'
import { demoToken, operatorToken, send } from '../support/clients/requests.ts'
import { getSeries } from '../support/clients/series.ts'
import { findFreePort } from '../support/servers/free-port.ts'
import { spawnCommand } from '../support/servers/spawned-command.ts'
import { v2Client } from '../support/clients/v2-client.ts'

/** The links to the console that the start printed sign in the demo's operator and its partner, once. */
async function assertLinks(portico: Portico): Promise<void> {
  const { OPERATOR_CLIENT_ID: operator, CLIENT_ID: partner } = portico.demoEnv
  for (const [name, clientId] of Object.entries({ operator, partner })) {
    const line = new RegExp(`^ +as ${name} +(\\S+) \\(once, within an hour\\)$`, 'm')
    const [, link = ''] = await portico.waitForOutput(line)
    const enter = () => send(link.replace(portico.url, portico.origin))
    const { json } = await requestConsoleToken(portico, readCookie(await enter()))
    assert.equal(asObject(json['partner'])['clientId'], clientId)
    assert.equal((await enter()).headers.get('location'), '/console/sign-in?flash=link')
  }
}

test('changes of an operator to the demo site survive the next start', async () => {
  const dataDir = await makeDemoDir()
  const first = await startPortico({ dataDir })
  await assertLinks(first)
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

test('on a store in use the demo adds nothing, and reports that', async () => {
  const dataDir = await makeTempDir()
  const added = await runPortico(['partner', 'add', '--name', 'Platform team', '--role', 'Operator'], {
    dataDir,
  })
  assert.equal(added.code, 0, added.stderr)
  const portico = await startPortico({ demo: false, dataDir, args: ['--demo'] })
  await portico.waitForOutput(/already has data that is not the demo’s, so --demo was ignored/)
  assert.ok(!existsSync(demoEnvPath(dataDir)))
  await portico.stop()
  const { stdout } = await runPortico(['partner', 'list', '--json'], { dataDir })
  const names = asArray(asObject(parseJson(stdout))['data']).map((partner) => asObject(partner)['name'])
  assert.deepEqual(names, ['Platform team'])
  await removeDataDir(dataDir)
})

test('a demo killed while its history is created is complete after the next start', async () => {
  const folder = await makeTempDir()
  // The server creates it.
  const dataDir = join(folder, 'data')
  const flags = ['--demo', '--port', '0', '--mqtt-port', '0']
  const killed = await spawnCommand(['serve', ...flags], dataDir)
  await eventually(async () => assert.match(killed.output(), /: 50 %/), 600_000)
  killed.kill('SIGKILL')
  await killed.ended

  const portico = await startPortico({ dataDir })
  const client = v2Client(portico, await demoToken(portico), portico.demoEnv.SITE_ID)
  const range = days(todayHere.subtract({ days: 90 }), 89)
  for (const device of await client.list('/devices?deviceType=electricityMeter')) {
    const path = `/devices/${asString(device['deviceUuid'])}/consumption/electricity`
    const { points } = await getSeries(client, path, { interval: 'P1D', ...range })
    // The reception's meter misses the sixth of each month.
    const isMissed = (timestamp: string): boolean =>
      device['deviceName'] === 'Reception electricity' && timestamp.slice(8, 10) === '06'
    const missing = points.filter(({ value, timestamp }) => value === null && !isMissed(timestamp))
    assert.deepEqual(missing, [], path)
  }
  assert.equal(readFileSync(join(dataDir, '.gitignore'), 'utf8'), '*\n', 'demo.env cannot be committed')
  await portico.stop()
  await removeDataDir(dataDir)
  await rm(folder, { recursive: true })
})

test('a demo stopped while its history is created stops creating it; requests meanwhile are no errors', async () => {
  const dataDir = await makeTempDir()
  const port = String(await findFreePort())
  const stopped = await spawnCommand(['serve', '--demo', '--port', port, '--mqtt-port', '0'], dataDir)
  await eventually(async () => assert.match(stopped.output(), /: 0 %/), 600_000)
  const url = `http://127.0.0.1:${port}`
  const token = await fetch(`${url}/auth/oauth2/v2.0/token`, { method: 'POST', body: 'grant_type=x' })
  assert.equal(token.status, 503)
  assert.equal((await fetch(`${url}/v2/sites`)).status, 503)
  await eventually(async () => assert.match(stopped.output(), /: 25 %/), 600_000)
  assert.match(stopped.output(), /oauth2\/v2\.0\/token","status":503/)
  assert.doesNotMatch(stopped.output(), /"level":"(error|warn)"/)
  stopped.kill('SIGTERM')
  assert.equal(await stopped.ended, 0)
  assert.doesNotMatch(stopped.output(), /Tannery Wharf/)
  await removeDataDir(dataDir)
})

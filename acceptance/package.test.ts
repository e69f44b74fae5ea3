import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, test } from 'node:test'
import { eventually } from './support/eventually.ts'
import { asObject, parseJson } from './support/json.ts'
import { findFreePort } from './support/servers/free-port.ts'
import { startPortico } from './support/servers/portico.ts'
import { api, demoToken } from './support/clients/requests.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const folder = await mkdtemp(join(tmpdir(), 'portico-package-'))
after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
execFileSync('npm', ['pack', '--workspace', 'packages/cli', '--pack-destination', folder], {
  cwd: ROOT,
  stdio: 'pipe',
})
const [tarball = ''] = await readdir(folder)
await writeFile(join(folder, 'package.json'), '{"private":true}')
const installed = join(folder, 'node_modules/portico')

/** The environment of a user whose only Node is the machine's own, if it has one; this suite's Node otherwise. */
const systemNode = ['/usr/bin/node', '/usr/local/bin/node'].find(existsSync) ?? process.execPath
const env = { PATH: `${dirname(systemNode)}:/usr/bin:/bin`, HOME: folder }
const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

test('the package is installed with the Node of the machine, and contains no TypeScript', () => {
  // The registry of the developer, if it is not the public one.
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { cwd: ROOT, encoding: 'utf8' }).trim()
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { cwd: ROOT, encoding: 'utf8' }).trim()
  run('npm', [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--registry',
    registry,
    '--cache',
    cache,
    `./${tarball}`,
  ])
  assert.ok(!existsSync(join(installed, 'src')))
  for (const file of ['README.md', 'LICENSE']) assert.ok(existsSync(join(installed, file)), file)
})

test('with that Node, its command adds a partner and serves a token and a read', async () => {
  const major = Number(run('node', ['--version']).slice(1).split('.')[0])
  assert.ok(major >= 20, `Node ${major}`)
  assert.match(run('npx', ['portico', '--version']), /\d+\.\d+\.\d+/)
  const partner = asObject(
    parseJson(run('npx', ['portico', 'partner', 'add', '--name', 'Team', '--role', 'Operator', '--json'])),
  )
  const port = String(await findFreePort())
  const server = spawn('npx', ['portico', 'serve', '--port', port, '--mqtt-port', '0'], {
    cwd: folder,
    env: { ...env, METRICS_PORT: 'off' },
    stdio: 'ignore',
    // In a separate process group: npx does not forward signals to the command.
    detached: true,
  })
  try {
    const origin = `http://localhost:${port}`
    await eventually(async () => assert.equal((await fetch(`${origin}/ready`)).status, 200))
    const { clientId, clientSecret } = partner
    const answer = await fetch(`${origin}/auth/oauth2/v2.0/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: String(clientId),
        client_secret: String(clientSecret),
        scope: `api://${String(clientId)}/.default`,
      }),
    })
    const token = asObject(parseJson(await answer.text()))['access_token']
    const read = await fetch(`${origin}/operator/partners`, {
      headers: { authorization: `Bearer ${String(token)}` },
    })
    assert.equal(read.status, 200)
    assert.match(await read.text(), new RegExp(String(clientId)))
  } finally {
    const exited = once(server, 'exit')
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM')
    await exited
  }
})

test('a killed command leaves no server behind, also where an older Node has started it', async () => {
  const port = String(await findFreePort())
  const command = spawn(
    systemNode,
    [join(installed, 'bin/portico.js'), 'serve', '--data', 'killed', '--port', port, '--mqtt-port', '0'],
    { cwd: folder, env: { ...env, METRICS_PORT: 'off' }, stdio: 'ignore' },
  )
  const isUp = async (): Promise<boolean> =>
    fetch(`http://localhost:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await eventually(async () => assert.ok(await isUp()))
  const exited = once(command, 'exit')
  command.kill('SIGKILL')
  await exited
  await eventually(async () => assert.ok(!(await isUp())))
})

test('the installed command serves the demo and its pages', async () => {
  await using portico = await startPortico({ command: join(installed, 'bin/portico.js') })
  const token = await demoToken(portico)
  const answer = await api(portico, '/v2/spaces?limit=1', {
    token,
    headers: { siteid: portico.demoEnv.SITE_ID },
  })
  assert.equal(answer.status, 200, answer.text)
  for (const page of [
    '/',
    '/reference',
    '/errors',
    '/openapi/v2.json',
    '/docs/v2',
    '/docs/v2.md',
    '/changelog',
  ]) {
    assert.equal((await api(portico, page)).status, 200, page)
  }
})

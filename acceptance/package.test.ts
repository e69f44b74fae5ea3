import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { startPortico } from './support/servers/portico.ts'
import { api, demoToken } from './support/clients/requests.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

test('the packed command, installed elsewhere, serves the demo without a TypeScript file', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-package-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  execFileSync('npm', ['pack', '--workspace', 'packages/cli', '--pack-destination', folder], {
    cwd: ROOT,
    stdio: 'pipe',
  })
  const [tarball] = await readdir(folder)
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  execFileSync(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball ?? '')],
    {
      cwd: folder,
      stdio: 'pipe',
    },
  )
  const installed = join(folder, 'node_modules/portico')
  assert.ok(!existsSync(join(installed, 'src')))

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

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { findFreePort } from '../support/servers/free-port.ts'
import { makeTempDir, type RunResult, runPortico } from '../support/servers/portico.ts'
import { startOnTerminal } from '../support/servers/terminal.ts'

/** The responses with 429 that are still to come, by path: the value of Retry-After in each. */
let limited: Record<string, number[]> = {}
let received: string[] = []
let server: Server
let url = ''

before(async () => {
  const port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    received.push(path)
    request.resume()
    const retryAfter = limited[path]?.shift()
    const answer = (status: number, body: unknown, headers: Record<string, string> = {}): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body))
    if (retryAfter !== undefined)
      answer(
        429,
        {
          error_description: 'AADSTS90055: Too many requests.',
          type: '/errors/rate-limited',
          detail: 'Slow.',
        },
        { 'retry-after': String(retryAfter) },
      )
    else if (path === '/auth/oauth2/v2.0/token') answer(200, { access_token: 'token' })
    else if (path === '/operator/readings')
      answer(200, { accepted: 1, replaced: 0, unchanged: 0, refused: [], refusedCount: 0 })
    else if (path === '/operator/readings/imports') response.writeHead(204).end()
    else if (path === '/operator/sites') answer(200, { data: [], pagination: { nextCursor: null } })
    else
      answer(200, {
        components: {
          securitySchemes: {
            oauth: { flows: { clientCredentials: { tokenUrl: `${url}/auth/oauth2/v2.0/token` } } },
          },
        },
      })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
})
after(() => server.close())
beforeEach(() => {
  received = []
})

const toEnv = (): Record<string, string> => ({
  PORTICO_URL: url,
  PORTICO_CLIENT_ID: 'operator',
  PORTICO_CLIENT_SECRET: 'secret',
})

const listSites = (...flags: string[]): Promise<RunResult> =>
  runPortico(['site', 'list', ...flags], { env: toEnv() })

for (const path of ['/auth/oauth2/v2.0/token', '/operator/sites']) {
  test(`a command waits as long as Retry-After of ${path} says, and then succeeds`, async () => {
    limited = { [path]: [1, 1] }
    const result = await listSites()
    assert.equal(result.code, 0, result.stderr)
    assert.equal(received.filter((one) => one === path).length, 3)
    assert.equal(result.stderr, `${url} has received too many requests; retrying in 1 s\n`.repeat(2))
    limited = { [path]: [1] }
    assert.deepEqual(await listSites('--json'), { code: 0, stdout: '{"data":[]}\n', stderr: '' })
  })

  test(`a command does not wait for more than a minute for ${path}`, async () => {
    limited = { [path]: [61] }
    const result = await listSites()
    assert.equal(result.code, 1)
    assert.doesNotMatch(result.stderr, /retrying/)
    assert.equal(received.filter((one) => one === path).length, 1)
  })
}

test('on a terminal, a command that waits says so above its progress bar', async () => {
  const folder = await makeTempDir()
  after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'one.csv')
  await writeFile(file, 'deviceUuid,metricType,timestamp,value\nx,electricity,2026-01-01T00:00:00Z,1\n')
  limited = { '/operator/readings': [1] }
  // The data folder, which is given as a flag, takes precedence over PORTICO_URL.
  const flags = ['--url', url]
  const imported = await startOnTerminal(['readings', 'import', file, ...flags], folder, toEnv())
  assert.equal(await imported.ended, 0, imported.output())
  const bar = (filled: number): string => `${'█'.repeat(filled)}${'░'.repeat(25 - filled)}`
  assert.deepEqual(readScreen(imported.output()), [
    `${url} has received too many requests; retrying in 1 s`,
    `${file}  ${bar(25)} 100 %`,
    `${file}: 1 accepted, 0 replaced, 0 unchanged, 0 refused`,
  ])
  assert.ok(imported.output().includes(`${file}  ${bar(0)} 0 %`), imported.output())
})

/** The lines that a terminal shows in the end. */
const readScreen = (output: string): string[] =>
  output
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split('\r').reduce((shown, text) => draw(shown, text)))

/** Writes from the beginning of a line: over what is shown, unless that is erased first. */
function draw(shown: string, text: string): string {
  const erase = '\u001b[K'
  return text.startsWith(erase) ? text.slice(erase.length) : `${text}${shown.slice(text.length)}`
}

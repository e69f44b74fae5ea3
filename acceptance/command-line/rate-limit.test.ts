import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { findFreePort } from '../support/servers/free-port.ts'
import { type RunResult, runPortico } from '../support/servers/portico.ts'

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

const listSites = (...flags: string[]): Promise<RunResult> =>
  runPortico(['site', 'list', ...flags], {
    env: { PORTICO_URL: url, PORTICO_CLIENT_ID: 'operator', PORTICO_CLIENT_SECRET: 'secret' },
  })

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

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { api } from '../support/clients/requests.ts'
import { asObject, parseJson } from '../support/json.ts'
import { findFreePort } from '../support/servers/free-port.ts'
import { type Portico, startPortico } from '../support/servers/portico.ts'
import { skipWithout, systemPython, testTools } from '../support/servers/test-tools.ts'
import { startProxy } from './proxy.ts'

const exec = promisify(execFile)

let server: Portico
let folder: string
before(async () => {
  server = await startPortico({ env: { RATE_LIMIT: 'off', LOG_LEVEL: 'error' } })
  folder = await mkdtemp(join(tmpdir(), 'portico-python-'))
  await writeFile(join(folder, 'portico.py'), (await api(server, '/clients/portico.py')).text)
})
after(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function python(args: string[], origin: string): Promise<string> {
  const through = (url: string): string => `${origin}${new URL(url).pathname}`
  const { PORTICO_BASE_URL, PORTICO_AUTH_URL, ...rest } = server.demoEnv
  const env = {
    ...rest,
    PORTICO_BASE_URL: through(PORTICO_BASE_URL),
    PORTICO_AUTH_URL: through(PORTICO_AUTH_URL),
    NO_PROXY: '127.0.0.1',
  }
  const { stdout, stderr } = await exec(systemPython, args, { cwd: folder, env })
  assert.equal(stderr, '')
  return stdout
}

describe('GET /clients/portico.py', () => {
  test('returns the client with its version in the first line', async () => {
    const { status, headers, text } = await api(server, '/clients/portico.py')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/x-python; charset=utf-8')
    assert.match(text.split('\n')[0] ?? '', /^# portico\.py \d+\.\d+\.\d+ /)
  })

  test('returns 304 if the client has it', async () => {
    const { headers } = await api(server, '/clients/portico.py')
    const again = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
    assert.equal((await api(server, '/clients/portico.py', again)).status, 304)
  })
})

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

function sign(body: string): string {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')
  const headers = {
    'Webhook-Id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,AAAA v1,${signature}`,
  }
  return JSON.stringify({ body, headers, secret: SECRET })
}

describe('the Python client', { skip: skipWithout(testTools.python) }, () => {
  test('reads with threads, controls, waits, follows events, and verifies webhooks', async () => {
    await using proxy = await startProxy(server.origin)
    await cp(new URL('scenario.py', import.meta.url), join(folder, 'scenario.py'))
    const output = await python(['scenario.py', sign('{"type":"webhook.test","data":"ü"}')], proxy.url)
    const { hours, batch, ...rest } = asObject(parseJson(output))
    assert.ok(Number(hours) >= 48 && Number(batch) >= 24, output)
    assert.deepEqual(rest, {
      threads: [20, 1],
      latest: true,
      state: 'CONFIRMED',
      rejected: 'DEVICE_REJECTED',
      cancelled: 'CANCELLED',
      events: true,
      followed: 'CANCELLED',
      next: 'PENDING',
      missing: ['NotFoundError', 'not-found'],
      invalid: ['BadRequestError', 'validation-error'],
      secret: ['CredentialsError', 'invalid_client'],
      configuration: ['ConfigurationError', 'configuration'],
      event: 'webhook.test',
      forged: 'signature',
      parsed: 'body-was-parsed',
      bare: 'headers-missing',
      old: 'timestamp',
    })
    const tokens = proxy.passed.filter(({ path }) => path.endsWith('/token'))
    // One for all threads, and one for the wrong secret.
    assert.deepEqual(
      tokens.map(({ status }) => status),
      [200, 401],
    )
  })

  test('runs the program of the documentation', async () => {
    const { text } = await api(server, '/docs/sdk.md')
    const [, program = ''] = /```python\n(.*?)```/s.exec(text) ?? []
    assert.match(await python(['-c', program], server.origin), /^CONFIRMED$/m)
  })

  test('stores a command once if the response is lost', async () => {
    await using proxy = await startProxy(server.origin)
    const program = `from portico import Portico
site = Portico().site()
valve = list(site.devices(deviceType="trv", status="online"))[10]["deviceUuid"]
command = site.schedule(valve, {"type": "boost", "durationMinutes": 30})
print([one["commandUuid"] == command["commandUuid"] for one in site.commands(valve)])`
    proxy.cutNext(({ url }) => url?.endsWith('/schedule') === true)
    assert.equal((await python(['-c', program], proxy.url)).trim(), '[True]')
    assert.equal(proxy.passed.filter(({ path }) => path.endsWith('/schedule')).length, 2)
  })

  test('renews a token after a 401 once, waits for Retry-After, and gives up after 3600 s', async () => {
    const statuses: number[] = []
    const plan: [number, Record<string, string>][] = [
      [401, {}],
      [429, { 'retry-after': '1' }],
      [503, { 'retry-after': 'soon' }],
      [200, {}],
      [503, {}],
      [429, { 'retry-after': '3600' }],
    ]
    let tokens = 0
    const stub = createServer((request, response) => {
      request.resume()
      response.setHeader('content-type', 'application/json')
      if (request.url?.endsWith('/token')) {
        tokens += 1
        response.end(JSON.stringify({ access_token: `t${tokens}`, expires_in: 3599 }))
        return
      }
      const [status, headers] = plan[statuses.length] ?? [500, {}]
      statuses.push(status)
      response.writeHead(status, headers).end('{}')
    })
    const port = await findFreePort()
    await new Promise<void>((resolve) => stub.listen(port, '127.0.0.1', resolve))
    const program = `import portico
client = portico.Portico()
client.account()
try:
    client.request("POST", "/things", body={})
except portico.ServerError as error:
    print(error.status)
try:
    client.account()
except portico.RateLimitError as error:
    print(error.retry_after)`
    try {
      const output = await python(['-c', program], `http://127.0.0.1:${port}`)
      assert.deepEqual(output.trim().split('\n'), ['503', '3600.0'])
      assert.deepEqual(
        statuses,
        plan.map(([status]) => status),
      )
      assert.equal(tokens, 2)
    } finally {
      stub.closeAllConnections()
      stub.close()
    }
  })
})

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
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

async function python(args: string[], origin: string, interpreter = systemPython): Promise<string> {
  const through = (url: string): string => `${origin}${new URL(url).pathname}`
  const { PORTICO_BASE_URL, PORTICO_AUTH_URL, ...rest } = server.demoEnv
  const env = {
    ...rest,
    PORTICO_BASE_URL: through(PORTICO_BASE_URL),
    PORTICO_AUTH_URL: through(PORTICO_AUTH_URL),
    NO_PROXY: '127.0.0.1',
  }
  const { stdout, stderr } = await exec(interpreter, args, { cwd: folder, env })
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

/** The oldest Python that the client supports, where there is one. */
const oldest = spawnSync('python3.9', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' })
const interpreters = [systemPython, ...(oldest.status === 0 ? [oldest.stdout.trim()] : [])]

describe('the Python client', { skip: skipWithout(testTools.python) }, () => {
  test('is written in Python 3.9, and so is what the documentation shows', async () => {
    const documents = await Promise.all(['sdk', 'webhooks'].map((name) => api(server, `/docs/${name}.md`)))
    const shown = documents.flatMap(({ text }) => [...text.matchAll(/```python\n(.*?)```/gs)])
    const sources = [await readFile(join(folder, 'portico.py'), 'utf8'), ...shown.map(([, code]) => code)]
    assert.ok(sources.length >= 3)
    const program = `import ast, json, sys
for source in json.load(sys.stdin):
    for node in ast.walk(ast.parse(source, feature_version=(3, 9))):
        # Unions like "str | None" parse, but fail when they are evaluated.
        if isinstance(node, ast.AnnAssign) or isinstance(node, ast.arg):
            union = node.annotation
            if isinstance(union, ast.BinOp) and "from __future__ import annotations" not in source:
                sys.exit(f"line {union.lineno}: {ast.unparse(union)}")`
    const { status, stderr } = spawnSync(systemPython, ['-c', program], { input: JSON.stringify(sources) })
    assert.equal(status, 0, String(stderr))
  })

  for (const interpreter of interpreters)
    test(`reads with threads, controls, waits, follows events, and verifies webhooks: ${interpreter}`, async () => {
      await using proxy = await startProxy(server.origin)
      await cp(new URL('scenario.py', import.meta.url), join(folder, 'scenario.py'))
      const signed = sign('{"type":"webhook.test","data":"ü"}')
      const output = await python(['scenario.py', signed], proxy.url, interpreter)
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

  test('raises its own errors for responses that are cut off, too slow or not JSON, and encodes paths', async () => {
    const paths: string[] = []
    const answers: Record<string, (response: ServerResponse) => void> = {
      cut: (response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('{"partial":', () => response.destroy())
      },
      slow: (response) => {
        response.writeHead(200, { 'content-length': '100000' })
        const timer = setInterval(() => response.write(' '), 20)
        response.once('close', () => clearInterval(timer))
      },
      page: (response) => response.setHeader('content-type', 'text/html').end('<p>Sign in'),
    }
    const stub = createServer((request, response) => {
      request.resume()
      const { url = '' } = request
      if (url.endsWith('/token')) return response.end('{"access_token":"t","expires_in":3599}')
      paths.push(url)
      const answer = answers[url.slice(url.lastIndexOf('/') + 1)]
      return answer ? answer(response) : response.end('{}')
    })
    const port = await findFreePort()
    await new Promise<void>((resolve) => stub.listen(port, '127.0.0.1', resolve))
    const program = `import portico
client = portico.Portico(timeout=60, max_retries=0)
impatient = portico.Portico(timeout=1, max_retries=0)
client.site().device("../x?y")
for caller, path in ((client, "/cut"), (impatient, "/slow"), (client, "/page")):
    try:
        caller.request("GET", path).json()
    except portico.NoResponseError as error:
        print(path, error.code)
try:
    portico.Portico("localhost:8080/v2")
except portico.ConfigurationError as error:
    print(error)`
    try {
      const output = await python(['-c', program], `http://127.0.0.1:${port}`)
      assert.deepEqual(output.trim().split('\n'), [
        '/cut connection',
        '/slow timeout',
        '/page connection',
        'base_url is not an address: localhost:8080/v2',
      ])
      assert.equal(paths[0], '/v2/devices/..%2Fx%3Fy')
    } finally {
      stub.closeAllConnections()
      stub.close()
    }
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

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { decodeJwt } from 'jose'
import { SERVER } from '../../../src/audit/audit.ts'
import { type Config, loadConfig } from '../../../src/config/config.ts'
import { createServices } from '../../../src/create-services.ts'
import { createTokenShortWay } from '../../../src/http/oauth/short-way.ts'
import { createLog } from '../../../src/lib/log.ts'
import { openStore } from '../../../src/store/open.ts'
import { temporaryFolder } from '../../support/folder.ts'

const PATH = '/auth/oauth2/v2.0/token'
/** The head of an answer; who asks whether to go on is told so before it. */
const ANSWER =
  /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*?content-length: (\d+)\r\n(?:.+\r\n)*\r\n/i
const FORM = 'Content-Type: application/x-www-form-urlencoded'

/** The short way before a route that says what it got, on a socket. */
async function setUp(t: TestContext, changes: Partial<Config> = {}) {
  const config = { ...loadConfig({ data: temporaryFolder(t) }, {}), rateLimit: false, ...changes }
  const store = openStore(config)
  await store.migrate()
  let written = ''
  const log = createLog('info', { destination: { write: (line: string) => void (written += line) } })
  const { services, prepare } = createServices(config, 8080, store, log)
  await prepare()
  t.after(async () => {
    await services.lastUse.close()
    await store.close()
  })
  const added = await services.partners.add({ name: 'Partner', sites: [], roles: ['Spaces.Read'] }, SERVER)
  const { partner, secret } = added
  const { clientId } = partner

  const shortWay = createTokenShortWay(services)
  const routed = Promise.withResolvers<IncomingMessage>()
  const route = (request: IncomingMessage, response: ServerResponse): void => {
    routed.resolve(request)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => answer(response, `the route got ${Buffer.concat(chunks).toString()}`))
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    if (!shortWay(request, response, route)) route(request, response)
  }
  const server = createServer({ requireHostHeader: false }, listener).on('checkExpectation', listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo

  const form = (changes: Record<string, string> = {}): string =>
    new URLSearchParams({
      client_id: clientId,
      client_secret: secret.clientSecret,
      scope: `api://${clientId}/.default`,
      grant_type: 'client_credentials',
      ...changes,
    }).toString()

  return {
    services,
    store,
    partner,
    secret,
    form,
    routed: routed.promise,
    written: () => written,
    remember: () => services.directory.find(clientId),
    open: () => openConnection(t, port),
    async ask(bytes = post(form())): Promise<string> {
      const connection = openConnection(t, port)
      connection.write(bytes)
      return connection.answer()
    },
  }
}

function answer(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body)
}

function openConnection(t: TestContext, port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  const arriving: AsyncIterator<string> = socket.setEncoding('latin1')[Symbol.asyncIterator]()
  let got = ''
  return {
    write: (bytes: string) => void socket.write(bytes, 'latin1'),
    destroy: () => void socket.destroy(),
    /** The body of the next answer. */
    async answer(): Promise<string> {
      for (;;) {
        const [head = '', length = ''] = ANSWER.exec(got) ?? []
        const end = head.length + Number(length)
        if (head !== '' && got.length >= end) {
          const body = got.slice(head.length, end)
          got = got.slice(end)
          return body
        }
        const { done, value } = await arriving.next()
        assert.ok(!done, `the connection was closed after ${got}`)
        got += value
      }
    },
  }
}

const post = (body: string, lines: string[] = [FORM], path = PATH): string =>
  [`POST ${path} HTTP/1.1`, 'Host: x', ...lines, `Content-Length: ${body.length}`, '', body].join('\r\n')

const isToken = (body: string): boolean => /^\{"token_type":"Bearer",.*"access_token":"[^"]+"\}$/.test(body)

test('a right request is answered without the route once its client is remembered, each with a new token', async (t) => {
  const { ask, form, remember, partner } = await setUp(t)
  assert.equal(await ask(), `the route got ${form()}`)
  await remember()
  const bodies = [
    await ask(),
    await ask(),
    await ask(post(form(), ['content-type: Application/X-WWW-Form-Urlencoded;charset=UTF-8'])),
    await ask(post(form({ padding: 'x'.repeat(3_000), client_id: partner.clientId.toUpperCase() }))),
  ]
  for (const body of bodies) assert.ok(isToken(body), body)
  const claims = bodies.map((body) => decodeJwt((JSON.parse(body) as { access_token: string }).access_token))
  for (const { azp } of claims as { azp?: string }[]) assert.equal(azp, partner.clientId)
  assert.equal(new Set(claims.map(({ jti }) => jti)).size, bodies.length)
})

test('credentials as HTTP Basic are as usual as those in the form', async (t) => {
  const { ask, remember, partner, form } = await setUp(t)
  await remember()
  const sent = new URLSearchParams(form())
  const basic = Buffer.from(`${partner.clientId}:${sent.get('client_secret')}`).toString('base64')
  for (const name of ['client_id', 'client_secret']) sent.delete(name)
  assert.ok(isToken(await ask(post(sent.toString(), [FORM, `Authorization: Basic ${basic}`]))))
})

test('what is unusual or wrong gets to the route as it came', async (t) => {
  const { ask, form, remember } = await setUp(t)
  await remember()
  const body = form()
  const cases: Record<string, [bytes: string, got?: string]> = {
    'another address': [post(body, [FORM], '/auth/oauth2/v2.0/token?x=1')],
    'another method': [post(body).replace('POST', 'PUT')],
    'another type': [post(body, ['Content-Type: text/plain'])],
    'no type': [post(body, [])],
    'a caller that a proxy names': [post(body, [FORM, 'X-Forwarded-For: 192.0.2.1'])],
    'an expectation': [post(body, [FORM, 'Expect: 100-continue'])],
    'an expectation nobody knows': [post(body, [FORM, 'Expect: 200-maybe'])],
    'two hosts': [post(body, [FORM, 'Host: y'])],
    'a Bearer token': [post(body, [FORM, 'Authorization: Bearer x'])],
    'no length': [
      post('', [FORM, 'Transfer-Encoding: chunked']).replace(
        /Content-Length: 0\r\n\r\n$/,
        `\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ),
      body,
    ],
    'no body': [post('')],
    'more than is allowed': [post(form({ padding: 'x'.repeat(17_000) }))],
    'an unknown client': [post(form({ client_id: '00000000-0000-4000-8000-000000000000' }))],
    'a wrong secret': [post(form({ client_secret: 'wrong' }))],
    'no secret': [post(form({ client_secret: '' }))],
    'another scope': [post(form({ scope: 'api://other/.default' }))],
    'another grant': [post(form({ grant_type: 'password' }))],
    'a parameter twice': [post(`${body}&scope=x`)],
    'what cannot be decoded': [post(`${body}&x=%`)],
  }
  for (const [name, [bytes, got = bytes.slice(bytes.indexOf('\r\n\r\n') + 4)]] of Object.entries(cases))
    assert.equal(await ask(bytes), `the route got ${got}`, name)
  assert.ok(isToken(await ask()))
})

test('a server that is not ready, and one that is no issuer, leaves it to the route', async (t) => {
  const { ask, form, remember, services } = await setUp(t)
  await remember()
  services.health.waitFor('a test')
  assert.equal(await ask(), `the route got ${form()}`)
  services.health.done('a test')
  assert.ok(isToken(await ask()))
  const other = await setUp(t, { builtInIssuer: false })
  await other.remember()
  assert.equal(await other.ask(), `the route got ${other.form()}`)
})

test('a client that is disabled, a secret that is removed or over, and a key that was just rotated are for the route', async (t) => {
  const { ask, form, remember, services, partner, secret } = await setUp(t)
  const { partnerUuid } = partner
  const isForRoute = async (body = form()): Promise<boolean> => {
    await remember()
    return (await ask(post(body))) === `the route got ${body}`
  }
  assert.equal(await isForRoute(), false)
  await services.partners.change(partnerUuid, { enabled: false }, SERVER)
  assert.ok(await isForRoute())
  await services.partners.change(partnerUuid, { enabled: true }, SERVER)
  assert.equal(await isForRoute(), false)
  services.keys.forget()
  assert.ok(await isForRoute())
  await services.keys.current()
  assert.equal(await isForRoute(), false)
  const over = await services.partners.addSecret(partnerUuid, 0, SERVER)
  assert.ok(await isForRoute(form({ client_secret: over.clientSecret })))
  await services.partners.removeSecret(partnerUuid, secret.secretId, SERVER)
  assert.ok(await isForRoute())
})

test('a body that comes later, or in two pieces, gets to the route whole', async (t) => {
  for (const cut of [0, 1, 30, 'a whole form']) {
    const { open, form, remember, routed } = await setUp(t)
    await remember()
    const body = `${form()}&scope=another`
    const bytes = post(body)
    const at = bytes.length - body.length + (typeof cut === 'number' ? cut : form().length)
    const connection = open()
    const answered = connection.answer()
    connection.write(bytes.slice(0, at))
    await Promise.race([routed, answered])
    connection.write(bytes.slice(at))
    assert.equal(await answered, `the route got ${body}`)
    connection.write(post(form()))
    assert.ok(isToken(await connection.answer()), 'and the connection goes on')
  }
})

test('requests that are sent without waiting are answered in their order', async (t) => {
  const { open, form, remember } = await setUp(t)
  await remember()
  const wrong = form({ client_secret: 'wrong' })
  const connection = open()
  const right = post(form())
  connection.write([right, post(wrong), right, right, post(wrong), right].join(''))
  for (const isRight of [true, false, true, true, false, true]) {
    const body = await connection.answer()
    if (isRight) assert.ok(isToken(body), body)
    else assert.equal(body, `the route got ${wrong}`)
  }
})

test('a caller who leaves in the middle of the body leaves the others alone', async (t) => {
  const { open, ask, form, remember, routed } = await setUp(t)
  await remember()
  const connection = open()
  connection.write(post(form()).slice(0, -10))
  const request = await routed
  const left = Promise.withResolvers<void>()
  request.on('close', left.resolve)
  connection.destroy()
  await left.promise
  assert.equal(request.complete, false)
  assert.ok(isToken(await ask()))
})

test('it is counted, up to the limit and not beyond: what is too much is for the route', async (t) => {
  const { ask, form, remember, services, partner } = await setUp(t, { rateLimit: true })
  await remember()
  const answers: string[] = []
  for (let index = 0; index < 35; index += 1) answers.push(await ask())
  const tokens = answers.filter(isToken)
  // A sliding window forgets a little with every second.
  assert.ok(tokens.length >= 30 && tokens.length <= 32, String(tokens.length))
  assert.equal(answers.at(-1), `the route got ${form()}`)
  const issued = await services.metrics.tokensIssued.get()
  assert.equal(issued.values[0]?.value, tokens.length)
  assert.equal(await ask(post(form({ client_id: partner.clientId.toUpperCase() }))).then(isToken), false)
})

test('who counts elsewhere has to be waited for: the route does', async (t) => {
  const { ask, form, remember, services } = await setUp(t, { rateLimit: true })
  await remember()
  delete services.limits.atOnce
  assert.equal(await ask(), `the route got ${form()}`)
})

test('it leaves its line, its counts and the last use of the secret', async (t) => {
  const { ask, remember, services, store, partner, written } = await setUp(t)
  await remember()
  await ask()
  const [line] = written().trim().split('\n')
  const { traceId, ms, time, ...rest } = JSON.parse(line ?? '') as Record<string, unknown>
  assert.match(String(traceId), /^[0-9a-f-]{36}$/)
  assert.ok(Number(ms) >= 0 && time !== undefined)
  assert.deepEqual(rest, {
    level: 'info',
    method: 'POST',
    path: PATH,
    status: 200,
    address: '127.0.0.1',
    msg: 'request',
  })
  assert.match(
    await services.metrics.registry.metrics(),
    /portico_http_requests_total\{route="\/auth\/oauth2\/v2\.0\/token",method="POST",status="200"\} 1/,
  )
  await services.lastUse.flush()
  const [secret] = await store.partners.secrets(partner.partnerUuid)
  assert.notEqual(secret?.lastUsedAt, null)
})

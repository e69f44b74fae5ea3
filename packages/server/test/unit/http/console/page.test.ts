import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { loadConfig } from '../../../../src/config/config.ts'
import { buildApp } from '../../../../src/http/app.ts'
import { createConsoleAssets } from '../../../../src/http/console/assets.ts'
import { COMMAND_LINE } from '../../../../src/domain/identity/audit.ts'
import { createLog } from '../../../../src/kernel/log.ts'
import { createServices } from '../../../../src/process/services.ts'
import { BACKENDS } from '../../../support/backends.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { addPartner } from '../../../support/seed.ts'

const SCRIPT = 'export const answer = 42\n'
const MANIFEST = { script: 'main-ABCD1234.js', style: 'console-EFGH5678.css', preload: ['chunk-WXYZ.js'] }

/** A folder as the build of the console leaves it. */
function makeDist(t: TestContext): string {
  const folder = join(temporaryFolder(t), 'dist')
  mkdirSync(folder)
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(MANIFEST))
  writeFileSync(join(folder, MANIFEST.script), SCRIPT)
  writeFileSync(join(folder, `${MANIFEST.script}.br`), brotliCompressSync(SCRIPT))
  writeFileSync(join(folder, `${MANIFEST.script}.LEGAL.txt`), 'a licence')
  writeFileSync(join(folder, MANIFEST.style), 'body {}')
  return folder
}

interface Page {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
}

async function setUp(t: TestContext, { folder = makeDist(t), env = {} } = {}) {
  const store = await (BACKENDS[0] ?? assert.fail()).open(t)
  const config = loadConfig({ data: temporaryFolder(t) }, env)
  const { services, prepare } = createServices(
    config,
    { http: 8080, mqtt: 1883, mqtts: undefined },
    store,
    createLog('silent'),
  )
  await prepare()
  const app = { ...services, consoleAssets: createConsoleAssets(folder) }
  const { server } = buildApp(app, { tls: undefined, trustProxy: false, connectionsPerAddress: 100 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await services.lastUse.close()
    await services.v1Usage.close()
  })
  const { port } = server.address() as AddressInfo
  const request = async (path: string, headers: Record<string, string> = {}): Promise<Page> => {
    const sent = get({ host: '127.0.0.1', port, path, headers, agent: false })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const body = Buffer.concat(await response.toArray())
    return { status: response.statusCode, headers: response.headers, body, text: body.toString() }
  }
  const { partner } = await addPartner(store)
  const { code } = await services.sessions.addCode(partner.partnerUuid, COMMAND_LINE)
  const value = await services.sessions.enter(partner, code, { address: '::1', agent: '', traceId: '' })
  return { request, cookie: { cookie: `a=b; __Host-portico=${value ?? assert.fail()}` } }
}

test('with a session, every path shows the page that loads the files of the manifest', async (t) => {
  const { request, cookie } = await setUp(t)
  for (const path of ['/console', '/console/', '/console/operator/partners?x=1', '/console/a/b/c/d']) {
    const { status, headers, text } = await request(path, cookie)
    assert.equal(status, 200, path)
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(text, /<title>Console · Portico<\/title>/)
    assert.match(text, /<script type="module" src="\/console\/assets\/main-ABCD1234\.js"><\/script>/)
    assert.match(text, /<link rel="stylesheet" href="\/console\/assets\/console-EFGH5678\.css">/)
    assert.match(text, /<link rel="modulepreload" href="\/console\/assets\/chunk-WXYZ\.js">/)
    assert.match(text, /<div id="app"><\/div>/)
    assert.match(text, /<meta name="portico-sign-in" content="session">/)
    assert.match(text, /<meta name="portico-base-url" content="http:\/\/localhost:8080\/v2">/)
  }
  const home = await request('/console/sign-in?next=/console/operator', cookie)
  assert.deepEqual([home.status, home.headers.location], [303, '/console/operator'])
})

test('files are sent compressed if accepted, and cached forever', async (t) => {
  const { request } = await setUp(t)
  const path = `/console/assets/${MANIFEST.script}`
  const plain = await request(path)
  assert.deepEqual(
    [plain.status, plain.text, plain.headers['content-type'], plain.headers['content-encoding']],
    [200, SCRIPT, 'text/javascript; charset=utf-8', undefined],
  )
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(plain.headers['vary'], 'accept-encoding')
  const compressed = await request(path, { 'accept-encoding': 'gzip, br' })
  assert.equal(compressed.headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(compressed.body).toString(), SCRIPT)
  const withoutCopy = await request(`/console/assets/${MANIFEST.style}`, { 'accept-encoding': 'br' })
  assert.deepEqual([withoutCopy.status, withoutCopy.headers['content-encoding']], [200, undefined])
  assert.equal((await request(`${path}.LEGAL.txt`)).text, 'a licence')
})

test('nothing else of the machine is sent', async (t) => {
  const { request } = await setUp(t)
  const names = [
    'manifest.json',
    'main-ABCD1234.js.br',
    '..%2f..%2fa-b.js',
    '%2e%2e',
    'x-y.js',
    'a%00-b.js',
    'a-b%5c.js',
  ]
  for (const name of names) assert.equal((await request(`/console/assets/${name}`)).status, 404, name)
})

test('every response has the headers of the console', async (t) => {
  const { request, cookie } = await setUp(t)
  const paths = ['/console', '/console/nothing', `/console/assets/${MANIFEST.script}`, '/console/assets/x']
  for (const path of paths)
    for (const sent of [{}, cookie]) {
      const { headers } = await request(path, sent)
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        path,
      )
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['x-content-type-options'], 'nosniff')
    }
})

test('without the built files, the page says how to build them', async (t) => {
  const { request, cookie } = await setUp(t, { folder: join(temporaryFolder(t), 'nothing') })
  const { status, text } = await request('/console', cookie)
  assert.equal(status, 503)
  assert.match(text, /npm run build:console/)
  assert.equal((await request('/console')).status, 200)
  assert.equal((await request('/console/assets/main-ABCD1234.js')).status, 404)
})

test('a build while the server runs is shown without a restart', async (t) => {
  const folder = join(temporaryFolder(t), 'later')
  const { request, cookie } = await setUp(t, { folder })
  assert.equal((await request('/console', cookie)).status, 503)
  mkdirSync(folder)
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(MANIFEST))
  assert.equal((await request('/console', cookie)).status, 200)
})

test('over plain http from another machine, the page says that https is needed', async (t) => {
  const { request } = await setUp(t)
  for (const host of ['192.0.2.1:8080', 'portico.example', 'localhost.example'])
    assert.match((await request('/console', { host })).text, /needs https[^]*portico dev-cert/, host)
  for (const host of ['localhost', 'localhost:8080', '127.0.0.1:9', '127.0.0.2', '[::1]:8080', 'a.localhost'])
    assert.match((await request('/console', { host })).text, /<form method="post"/, host)
})

test('behind a proxy that terminates TLS, the public address can sign in', async (t) => {
  const { request } = await setUp(t, { env: { PUBLIC_URL: 'https://portico.example' } })
  assert.match((await request('/console', { host: 'portico.example' })).text, /<form method="post"/)
  assert.match(
    (await request('/console', { host: '192.0.2.1' })).text,
    /href="https:\/\/portico\.example\/console"/,
  )
})

test('a link on another site loads the page again, because its first request has no cookie', async (t) => {
  const { request, cookie } = await setUp(t)
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  assert.match((await request('/console/operator', crossSite)).text, /http-equiv="refresh" content="0"/)
  assert.match((await request('/console/operator', { 'sec-fetch-site': 'same-origin' })).text, /<form/)
  assert.match((await request('/console', { ...crossSite, ...cookie })).text, /<div id="app">/)
})

test('with CONSOLE=off, every path is 404, and no page links to it', async (t) => {
  const { request, cookie } = await setUp(t, { env: { CONSOLE: 'off' } })
  const paths = [
    '/console',
    '/console/enter?code=x',
    '/console/sign-in',
    `/console/assets/${MANIFEST.script}`,
  ]
  for (const path of paths) assert.equal((await request(path, cookie)).status, 404, path)
  assert.doesNotMatch((await request('/')).text, /href="\/console"/)
})

test('pages link to the console', async (t) => {
  const { request } = await setUp(t)
  for (const path of ['/', '/docs', '/errors', '/errors/forbidden', '/deprecations', '/changelog'])
    assert.match((await request(path)).text, /<a href="\/console">Console<\/a>/, path)
})

test('without the built-in issuer, the page asks for a token itself, and there are no sessions', async (t) => {
  const env = {
    BUILTIN_ISSUER: 'off',
    OUTSIDE_ISSUER: 'https://issuer.example',
    OUTSIDE_ISSUER_JWKS: 'https://issuer.example/keys',
    OUTSIDE_ISSUER_AUDIENCE: 'api://portico',
  }
  const { request } = await setUp(t, { env })
  const { status, text } = await request('/console/operator')
  assert.equal(status, 200)
  assert.match(text, /<meta name="portico-sign-in" content="token">/)
  assert.match(text, /<div id="app">/)
})

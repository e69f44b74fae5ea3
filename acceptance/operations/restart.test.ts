import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { demoEnvPath } from '../support/servers/demo-env.ts'
import { eventually } from '../support/eventually.ts'
import { assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { addPartner, changePartner } from '../support/clients/operator.ts'
import { makeDemoDir, type Portico, removeDataDir, startPortico } from '../support/servers/portico.ts'
import { assertUnauthorized } from '../support/oracles/problem.ts'
import {
  api,
  demoToken,
  goodParameters,
  operatorToken,
  requestToken,
  tokenFor,
} from '../support/clients/requests.ts'

const folders: string[] = []
after(async () => {
  for (const folder of folders) await removeDataDir(folder)
})

async function newFolder(): Promise<string> {
  const folder = await makeDemoDir()
  folders.push(folder)
  return folder
}

const start = (dataDir: string, port?: number): Promise<Portico> =>
  startPortico({ dataDir, env: { RATE_LIMIT: 'off' }, ...(port === undefined ? {} : { port }) })

test('SIGTERM ends the server with exit code 0, despite idle connections', async () => {
  const portico = await start(await newFolder())
  await api(portico, '/live')
  const idle = connect(portico.port, '127.0.0.1')
  idle.on('error', () => {})
  assert.equal(await portico.stop(), 0, portico.output())
  idle.destroy()
})

test('a signal, also one that is sent twice, lets a request in progress finish', async () => {
  const portico = await start(await newFolder())
  const { CLIENT_ID, CLIENT_SECRET } = portico.demoEnv
  const form = new URLSearchParams(goodParameters(CLIENT_ID, CLIENT_SECRET)).toString()
  const head = [
    'POST /auth/oauth2/v2.0/token HTTP/1.1',
    `Host: localhost:${portico.port}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${form.length}`,
    // The response to this request shows that the server has started to process the other one.
    'Expect: 100-continue',
  ]
  const socket = connect(portico.port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n`))
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk
  })
  const closed = once(socket, 'close')
  await eventually(async () => assert.match(received, /^HTTP\/1\.1 100 /))
  // As for Ctrl-C under npm.
  portico.signal('SIGINT')
  const stopped = portico.stop()
  await eventually(() => assert.rejects(api(portico, '/live')))
  socket.write(form)
  assert.equal(await stopped, 0, portico.output())
  await closed
  assert.match(received, /\r\nHTTP\/1\.1 200 [^]*"access_token"/)
})

test('a token, the partners and the demo credentials remain valid after a restart', async () => {
  const dataDir = await newFolder()
  const first = await start(dataDir)
  const token = await demoToken(first)
  const partner = await addPartner(first, await operatorToken(first))
  const demoEnv = await readFile(demoEnvPath(dataDir), 'utf8')
  assert.equal(await first.stop(), 0)

  await using second = await start(dataDir, first.port)
  assert.equal(await readFile(demoEnvPath(dataDir), 'utf8'), demoEnv)
  assert.equal((await api(second, '/v2/sites', { token })).status, 200)
  await tokenFor(second, partner.clientId, partner.clientSecret)
  await demoToken(second)
})

test('everything that was acknowledged survives kill -9', async () => {
  const dataDir = await newFolder()
  const first = await start(dataDir)
  const operator = await operatorToken(first)
  const disabled = await addPartner(first, operator)
  const revoked = await tokenFor(first, disabled.clientId, disabled.clientSecret)
  await changePartner(first, operator, disabled.partnerUuid, { enabled: false })
  const partner = await addPartner(first, operator)
  const token = await tokenFor(first, partner.clientId, partner.clientSecret)
  await first.kill()

  await using second = await start(dataDir, first.port)
  assert.deepEqual(second.demoEnv, first.demoEnv)
  assert.equal((await api(second, '/v2/sites', { token })).status, 200)
  await tokenFor(second, partner.clientId, partner.clientSecret)
  await demoToken(second)
  assertUnauthorized(second, await api(second, '/v2/sites', { token: revoked }), 'TokenInvalid')
  const refused = await requestToken(second, goodParameters(disabled.clientId, disabled.clientSecret))
  assertIssuerError(refused, issuerErrors.disabledClient)
})

test('a start without demo.env issues new secrets, however often the file was lost', async () => {
  const dataDir = await newFolder()
  const first = await start(dataDir)
  await first.stop()
  const seen = new Set([first.demoEnv.CLIENT_SECRET])
  // More often than the number of live secrets a partner may have.
  for (let count = 1; count <= 6; count++) {
    await rm(demoEnvPath(dataDir))
    await using again = await start(dataDir, first.port)
    assert.equal(again.demoEnv.CLIENT_ID, first.demoEnv.CLIENT_ID)
    assert.ok(!seen.has(again.demoEnv.CLIENT_SECRET))
    seen.add(again.demoEnv.CLIENT_SECRET)
    await demoToken(again)
    await operatorToken(again)
  }
})

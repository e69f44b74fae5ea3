import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { loadConfig } from '../../../../src/config/config.ts'
import { createServices } from '../../../../src/process/services.ts'
import { buildApp } from '../../../../src/http/app.ts'
import type { Services } from '../../../../src/http/services.ts'
import { createLog } from '../../../../src/kernel/log.ts'
import { openStore } from '../../../../src/store/open.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { addMeter, addPartner } from '../../../support/seed.ts'

const HOURS = 'fromDateTime=2026-11-10&toDateTime=2026-11-12'

/** A server with a site of one room, and a partner that may send two requests a minute. */
async function setUp(t: TestContext, change: (services: Services) => Partial<Services> = () => ({})) {
  const config = loadConfig({ data: temporaryFolder(t) }, { RATE_LIMIT_PER_MINUTE: '2' })
  const store = openStore(config)
  await store.migrate()
  const { siteUuid } = await addMeter(store)
  const { partner, secret } = await addPartner(store, { sites: [siteUuid] })
  let written = ''
  const log = createLog('error', { destination: { write: (line: string) => void (written += line) } })
  const { services, prepare } = createServices(
    config,
    { http: 8080, mqtt: 1883, mqtts: undefined },
    store,
    log,
  )
  await prepare()
  const model = (await services.siteDirectory.find(siteUuid)) ?? assert.fail()
  const [space] = model.spaces.values()
  let bodies = 0
  const { seriesEncoder } = services
  const counted: Services = {
    ...services,
    verifier: { verify: () => ({ ...partner, secrets: [secret] }) },
    seriesEncoder: {
      ...seriesEncoder,
      space(query) {
        const encode = seriesEncoder.space(query)
        return (edges, isPolled) => {
          bodies += 1
          return encode(edges, isPolled)
        }
      },
    },
  }
  const { server, handle } = buildApp(
    { ...counted, ...change(counted) },
    { tls: undefined, trustProxy: false, connectionsPerAddress: 10 },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.close()
    await services.lastUse.close()
    await services.v1Usage.close()
    await store.close()
  })
  const url = `/v2/spaces/${space?.spaceUuid}/aggregate/electricity/hourly?${HOURS}`
  const headers = { authorization: 'Bearer token', siteid: siteUuid }
  const { port } = server.address() as AddressInfo
  const send = () => fetch(`http://127.0.0.1:${port}${url}`, { headers })
  return { send, handle, url, headers, bodies: () => bodies, written: () => written }
}

/** Limits that are counted in another process. */
const remotely = ({ limits }: Services): Partial<Services> => ({
  limits: {
    consume: async (use) => limits.consume(use),
    refund: async (use, refundLimit) => limits.refund(use, refundLimit),
  },
})

for (const [where, change] of [
  ['here', undefined],
  ['in another process', remotely],
] as const) {
  test(`no body is built for a caller over its limit; limits are counted ${where}`, async (t) => {
    const { send, bodies } = await setUp(t, change)
    const statuses: number[] = []
    for (let index = 0; index < 5; index += 1) statuses.push((await send()).status)
    assert.deepEqual(statuses, [200, 200, 429, 429, 429])
    assert.equal(bodies(), 2)
  })
}

test('a read is answered synchronously if nothing has to wait', async (t) => {
  const { send, handle, url, headers } = await setUp(t)
  await send()
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { method: 'GET', url, httpVersion: '1.1', headers: { ...headers, host: 'x' } })
  request.rawHeaders = Object.entries(request.headers).flatMap(([name, value]) => [name, String(value)])
  const response = new ServerResponse(request)
  handle(request, response)
  assert.equal(response.writableEnded, true)
  assert.equal(response.statusCode, 200)
})

test('an unexpected error is logged once, and the response refers to it', async (t) => {
  const broken = ({ seriesEncoder }: Services): Partial<Services> => ({
    seriesEncoder: {
      ...seriesEncoder,
      space() {
        throw new Error('broken')
      },
    },
  })
  const { send, written } = await setUp(t, broken)
  const answer = await send()
  assert.equal(answer.status, 500)
  const body = await answer.text()
  assert.doesNotMatch(body, /broken/)
  const lines = written().split('\n').filter(Boolean)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', new RegExp(`${(JSON.parse(body) as { traceId: string }).traceId}.*broken`))
})

import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
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
  const { services, prepare } = createServices(config, 8080, store, log)
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
  const app = await buildApp(
    { ...counted, ...change(counted) },
    { tls: undefined, trustProxy: false, connectionsPerAddress: 1 },
  )
  await app.ready()
  t.after(async () => {
    await app.close()
    await services.lastUse.close()
    await services.v1Usage.close()
    await store.close()
  })
  const url = `/v2/spaces/${space?.spaceUuid}/aggregate/electricity/hourly?${HOURS}`
  const headers = { authorization: 'Bearer token', siteid: siteUuid }
  return { app, url, headers, bodies: () => bodies, written: () => written }
}

/** Limits that are counted in another process. */
const remotely = ({ limits }: Services): Partial<Services> => ({
  limits: {
    consume: async (use) => limits.consume(use),
    refund: async (use) => limits.refund(use),
  },
})

for (const [where, change] of [
  ['here', undefined],
  ['in another process', remotely],
] as const) {
  test(`no body is built for a caller over its limit; limits are counted ${where}`, async (t) => {
    const { app, url, headers, bodies } = await setUp(t, change)
    const statuses: number[] = []
    for (let index = 0; index < 5; index += 1) statuses.push((await app.inject({ url, headers })).statusCode)
    assert.deepEqual(statuses, [200, 200, 429, 429, 429])
    assert.equal(bodies(), 2)
  })
}

test('a read is answered synchronously if nothing has to wait', async (t) => {
  const { app, url, headers } = await setUp(t)
  await app.inject({ url, headers })
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { method: 'GET', url, httpVersion: '1.1', headers: { ...headers, host: 'x' } })
  request.rawHeaders = Object.entries(request.headers).flatMap(([name, value]) => [name, String(value)])
  const response = new ServerResponse(request)
  app.routing(request, response)
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
  const { app, url, headers, written } = await setUp(t, broken)
  const answer = await app.inject({ url, headers })
  assert.equal(answer.statusCode, 500)
  assert.doesNotMatch(answer.body, /broken/)
  const lines = written().split('\n').filter(Boolean)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', new RegExp(`${answer.json<{ traceId: string }>().traceId}.*broken`))
})

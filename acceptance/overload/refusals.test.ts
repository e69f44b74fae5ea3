import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import * as http from 'node:http'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { scale } from '../support/overload/scale.ts'
import { type SteadyRequest, watchServer } from '../support/overload/watch-server.ts'
import { startPortico } from '../support/portico.ts'
import { demoToken, goodParameters } from '../support/requests.ts'
import { v2Client } from '../support/v2-client.ts'

const portico = await startPortico({
  env: { RATE_LIMIT_PER_MINUTE: '100000', RATE_LIMIT_PER_5_MINUTES: '100000' },
})
after(() => portico.stop())

const token = await demoToken(portico)
const { SITE_ID, CLIENT_ID } = portico.demoEnv
const [space] = await v2Client(portico, token, SITE_ID).list('/spaces?limit=1')
const range = 'fromDateTime=2026-11-01T00:00:00Z&toDateTime=2026-11-03T00:00:00Z'
const read: SteadyRequest = {
  path: `/v2/spaces/${asString(space?.['spaceUuid'])}/aggregate/electricity/hourly?${range}`,
  headers: { authorization: `Bearer ${token}`, siteid: SITE_ID },
}

interface Refused {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

const [head = '', payload = ''] = token.split('.')
const withToken = (bad: string): Refused => ({
  ...read,
  headers: { authorization: `Bearer ${bad}`, siteid: SITE_ID },
})
const forged = (): string => `${head}.${payload}.${randomBytes(64).toString('base64url')}`
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const withKeyId = (kid: string): string =>
  `${encode({ alg: 'ES256', typ: 'at+jwt', kid })}.${payload}.${randomBytes(64).toString('base64url')}`
const askToken = (clientId: string): Refused => ({
  method: 'POST',
  path: '/auth/oauth2/v2.0/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(goodParameters(clientId, randomBytes(24).toString('base64url'))).toString(),
})

/** `share` is below 1 where each request waits for a quarter of a second, in case another process has just created the key. */
const FLOODS: Record<string, { statuses: number[]; next(): Refused; share?: number }> = {
  'requests without a token': { statuses: [401], next: () => ({ path: read.path }) },
  'tokens that are not JWTs': {
    statuses: [401],
    next: () => withToken(randomBytes(200).toString('base64url')),
  },
  'forged tokens': { statuses: [401], next: () => withToken(forged()) },
  'tokens with unknown key ids': {
    statuses: [401],
    next: () => withToken(withKeyId(randomUUID())),
    share: 0.1,
  },
  'unknown addresses': { statuses: [404], next: () => ({ path: `/${randomUUID()}` }) },
  'malformed addresses': { statuses: [400], next: () => ({ path: `/v2/%zz${randomUUID()}` }) },
  'wrong client secrets': { statuses: [401, 429], next: () => askToken(CLIENT_ID) },
  'unknown clients': { statuses: [400], next: () => askToken(randomUUID()) },
}

const CONNECTIONS = 8
/** Pause between two requests of a connection, so that floods arrive at a rate that the machine can answer. */
const PAUSE_MS = 10
const REQUESTS = scale(1_000, 50_000)

const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
after(() => agent.destroy())

function send({ method = 'GET', path, headers = {}, body = '' }: Refused): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const options = { host: '127.0.0.1', port: portico.port, method, path, headers, agent }
  const request = http.request(options, (response) => {
    response.resume()
    response.once('end', () => resolve(response.statusCode ?? 0))
  })
  request.once('error', reject)
  request.end(body)
  return promise
}

/** Number of responses by status. */
async function flood(next: () => Refused, count: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  let left = count
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const status = await send(next())
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await sleep(PAUSE_MS)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  return statuses
}

describe('a flood of refused requests affects neither other clients nor memory', () => {
  for (const [name, { statuses, next, share = 1 }] of Object.entries(FLOODS)) {
    test(name, async () => {
      const watch = await watchServer(portico, read)
      const answered = await flood(next, REQUESTS * share)
      const { p50Ms, maxMs, growthMb } = await watch.stop()
      assert.deepEqual(
        [...answered.keys()].filter((status) => !statuses.includes(status)),
        [],
      )
      // A stall would affect every request; the latency itself is measured in bench/.
      assert.ok(p50Ms < 1_000, `half of a partner's reads took ${p50Ms} ms or more`)
      assert.ok(maxMs < 5_000, `a partner's read took ${maxMs} ms`)
      assert.ok(growthMb < 150, `memory grew by ${growthMb} MB`)
    })
  }
})

test('a flood writes a limited number of log lines a second, and one that counts the rest', async () => {
  // The last second of the previous floods is reported first.
  await sleep(1_500)
  const start = portico.output().length
  const startedAt = performance.now()
  const count = scale(1_500, 20_000)
  await flood(() => withToken('not.a.token'), count)
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000) + 1
  const lines = await eventually(async () => {
    const found = portico
      .output()
      .slice(start)
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map(parse)
    const written = found.filter((line) => line['status'] === 401 || line['msg'] === 'request refused')
    const suppressed = found.reduce((sum, line) => sum + Number(line['suppressed'] ?? 0), 0)
    // Each request has two lines: the response and its reason.
    assert.equal(written.length + suppressed, 2 * count)
    return written
  })
  assert.ok(lines.length <= 100 * seconds, `${lines.length} lines in ${seconds} s`)
})

const parse = (line: string): JsonObject => asObject(parseJson(line))

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import * as http from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { asObject, type JsonObject, parseJson } from '../support/json.ts'
import { scale } from '../support/overload/scale.ts'
import { readSchedstat } from '../support/overload/schedstat.ts'
import { type OverloadReport, type SteadyRequest, watchServer } from '../support/overload/watch-server.ts'
import { makeTempDir } from '../support/servers/portico.ts'
import { goodParameters } from '../support/clients/requests.ts'

const temporary = await makeTempDir()
const statementFile = join(temporary, 'statements')
const installation = await startInstallation({
  RATE_LIMIT: 'on',
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_PER_5_MINUTES: '1000000',
  STATEMENT_COUNT_FILE: statementFile,
  NODE_OPTIONS: `--import=${import.meta.resolve('../support/preload/count-statements.ts')}`,
})
after(async () => {
  await installation.stop()
  await rm(temporary, { recursive: true })
})
const { portico } = installation

const house = makeSmallSite()
await applyInventory(installation, house.document)
const { token, partner } = await addClient(installation, [house.siteUuid])
const read: SteadyRequest = {
  path: '/v2/spaces',
  headers: { authorization: `Bearer ${token}`, siteid: house.siteUuid },
}

interface RefusedRequest {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

const [head = '', payload = ''] = token.split('.')
const withToken = (bad: string): RefusedRequest => ({
  ...read,
  headers: { authorization: `Bearer ${bad}`, siteid: house.siteUuid },
})
const forged = (): string => `${head}.${payload}.${randomBytes(64).toString('base64url')}`
const repeated = forged()
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const withKeyId = (kid: string): string =>
  `${encode({ alg: 'ES256', typ: 'at+jwt', kid })}.${payload}.${randomBytes(64).toString('base64url')}`
const fetchToken = (clientId: string): RefusedRequest => ({
  method: 'POST',
  path: '/auth/oauth2/v2.0/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(goodParameters(clientId, randomBytes(24).toString('base64url'))).toString(),
})

interface Flood {
  statuses: number[]
  next(): RefusedRequest
  /** Most processor time of the server for a request, as a multiple of what the response of /live takes. */
  maxCost: number
  /** Most statements that the store executes for a request. */
  maxStatements?: number
  connections?: number
}

const live: Flood = { statuses: [200], next: () => ({ path: '/live' }), maxCost: 1 }

/** The costs are twice those measured: 1.2, 1.8, 4 (a signature is verified), 1.4, 1.2, 1.1, 1.2, 2.2 and 2. */
const FLOODS: Record<string, Flood> = {
  'requests without a token': { statuses: [401], next: () => ({ path: read.path }), maxCost: 3 },
  'tokens that are not JWTs': {
    statuses: [401],
    next: () => withToken(randomBytes(200).toString('base64url')),
    maxCost: 4,
  },
  'forged tokens': { statuses: [401], next: () => withToken(forged()), maxCost: 8 },
  'one forged token, again and again': { statuses: [401], next: () => withToken(repeated), maxCost: 3 },
  'tokens with unknown key ids': {
    statuses: [401],
    next: () => withToken(withKeyId(randomUUID())),
    maxCost: 4,
    // Each waits for a quarter of a second, in case another process has just created the key. One statement is for all
    // of them.
    connections: 64,
    maxStatements: 0.2,
  },
  'unknown addresses': { statuses: [404], next: () => ({ path: `/${randomUUID()}` }), maxCost: 3 },
  'malformed addresses': { statuses: [400], next: () => ({ path: `/v2/%zz${randomUUID()}` }), maxCost: 3 },
  'wrong client secrets': { statuses: [401, 429], next: () => fetchToken(partner.clientId), maxCost: 4.5 },
  'unknown clients': {
    statuses: [400],
    next: () => fetchToken(randomUUID()),
    maxCost: 5,
    maxStatements: 1,
  },
}

/** Statements of background work, of the well-behaved client's requests and of caches that expire. */
const OTHER_STATEMENTS_PER_SECOND = 50
const CONNECTIONS = 8
/** Pause between two requests of a connection, so that floods arrive at a rate that the machine can answer. */
const PAUSE_MS = 5
const REQUESTS = scale(400, 20_000)
/** Other processes can disturb one round; the cost of a rejection is the same in each. */
const ROUNDS = 2

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
after(() => agent.destroy())

interface Response {
  status: number
  bytes: number
}

function send({ method = 'GET', path, headers = {}, body = '' }: RefusedRequest): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const options = { host: '127.0.0.1', port: portico.port, method, path, headers, agent }
  const request = http.request(options, (response) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    response.once('end', () => resolve({ status: response.statusCode ?? 0, bytes }))
  })
  request.once('error', reject)
  request.end(body)
  return promise
}

async function flood({ next, connections = CONNECTIONS }: Flood, count: number): Promise<Response[]> {
  const responses: Response[] = []
  let left = count
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      responses.push(await send(next()))
      await sleep(PAUSE_MS)
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return responses
}

async function countStatements(): Promise<number> {
  await rm(statementFile, { force: true })
  portico.signal('SIGUSR2')
  return eventually(async () => Number(await readFile(statementFile, 'utf8')))
}

interface Measured {
  responses: Response[]
  /** Processor time of the server for each request. */
  costMs: number
  /** Statements of the store, without those that the requests of the flood did not cause. */
  statements: number
  report: OverloadReport
}

async function measure(attack: Flood): Promise<Measured> {
  const startedAt = performance.now()
  const statementsBefore = await countStatements()
  const watch = await watchServer(portico, read)
  const ranBeforeMs = readSchedstat(portico.pid).ranMs
  const responses = await flood(attack, REQUESTS)
  const ranMs = readSchedstat(portico.pid).ranMs - ranBeforeMs
  const report = await watch.stop()
  const statements = (await countStatements()) - statementsBefore
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000)
  return {
    responses,
    costMs: ranMs / REQUESTS,
    statements: statements - seconds * OTHER_STATEMENTS_PER_SECOND,
    report,
  }
}

async function measureRounds(attack: Flood): Promise<Measured[]> {
  const rounds: Measured[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(attack))
  return rounds
}

const least = (rounds: Measured[], toNumber: (round: Measured) => number): number =>
  Math.min(...rounds.map(toNumber))

describe('a flood of rejected requests affects neither other clients nor memory', () => {
  let unitMs = 0
  let quietMs = 0
  before(async () => {
    // The first round warms up: compiling the code takes more time than running it.
    await measure(live)
    for (const attack of Object.values(FLOODS)) await flood(attack, 200)
    const rounds = await measureRounds(live)
    unitMs = least(rounds, ({ costMs }) => costMs)
    quietMs = least(rounds, ({ report }) => report.p50Ms)
  })

  for (const [name, attack] of Object.entries(FLOODS)) {
    test(name, async (context) => {
      const rounds = await measureRounds(attack)
      for (const { responses, statements, report } of rounds) {
        for (const { status, bytes } of responses) {
          assert.ok(attack.statuses.includes(status), `answered with ${status}`)
          assert.ok(bytes < 1_000, `a refusal has ${bytes} bytes`)
        }
        const maxStatements = responses.length * (attack.maxStatements ?? 0)
        assert.ok(statements <= maxStatements, `${statements} statements for ${responses.length} refusals`)
        assert.ok(report.growthMb < 50, `memory grew by ${report.growthMb} MB`)
      }
      const cost = least(rounds, ({ costMs }) => costMs) / unitMs
      const p50Ms = least(rounds, ({ report }) => report.p50Ms)
      context.diagnostic(
        `costs ${cost.toFixed(1)}, ${rounds.map(({ statements }) => statements).join()} statements, ` +
          `p50 ${p50Ms.toFixed(1)} of ${quietMs.toFixed(1)} ms, ${rounds.map(({ report }) => report.growthMb).join()} MB`,
      )
      assert.ok(cost <= attack.maxCost, `a refusal takes as much processor time as ${cost} times /live`)
      assert.ok(p50Ms <= 5 * quietMs + 20, `a partner's reads took ${p50Ms} ms, and ${quietMs} ms without`)
    })
  }
})

test('a flood writes a limited number of log lines a second, and one that counts the rest', async () => {
  const readLines = (start: number): JsonObject[] =>
    portico
      .output()
      .slice(start)
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => asObject(parseJson(line)))
  // The last second of the previous floods is reported first.
  for (let length = -1; length !== portico.output().length; await sleep(3_000))
    length = portico.output().length
  const start = portico.output().length
  const startedAt = performance.now()
  const count = scale(1_500, 20_000)
  await flood({ ...live, next: () => withToken('not.a.token') }, count)
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000) + 1
  const { written, total } = await eventually(async () => {
    const found = readLines(start)
    const written = found.filter((line) => line['status'] === 401 || line['msg'] === 'request refused')
    const suppressed = found.reduce((sum, line) => sum + Number(line['suppressed'] ?? 0), 0)
    const total = written.length + suppressed
    assert.ok(total >= 2 * count, `${total} lines`)
    return { written, total }
  })
  assert.ok(written.length <= 100 * seconds, `${written.length} lines in ${seconds} s`)
  // Each request has two lines: the response and its reason.
  assert.equal(total, 2 * count)
})

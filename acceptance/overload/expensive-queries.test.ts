import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Demo,
  type Installation,
  startDemo,
  startInstallation,
} from '../support/servers/installation.ts'
import { asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { type LargeSite, makeLargeSite } from '../support/overload/large-site.ts'
import { scale } from '../support/overload/scale.ts'
import { type OverloadReport, watchServer } from '../support/overload/watch-server.ts'
import { assertFieldRefused } from '../support/oracles/problem.ts'
import { isPostgres } from '../support/servers/backend.ts'
import { asNumber } from '../support/clients/series.ts'
import type { V2Client } from '../support/clients/v2-client.ts'

/**
 * How much a request may increase the server's memory. On the smaller site, it takes less than 10 MB with SQLite; if
 * the half hours of all spaces and months were in memory together, it would take more than 40. The PostgreSQL driver
 * buffers rows.
 */
const MOST_GROWTH_MB = isPostgres() ? 64 : scale(36, 64)
/** Bound for the requests of a well-behaved client: it detects a blocked event loop, with room for a busy machine. */
const LONGEST_WAIT_MS = 2_000
const BUSY_MACHINE = 5

const DAY_MS = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

const thisMonth = (): Temporal.PlainDate => Temporal.Now.plainDateISO('UTC').with({ day: 1 })

/** The first day of a month, 60 months before the last full one: the longest range for `P1M`. */
const sixtyMonths = (): string => thisMonth().subtract({ months: 59 }).toString()

/** The body of a 200. It is not checked against the OpenAPI document, which would delay the watching client. */
async function get({ portico, token, siteId }: V2Client, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, SiteId: siteId }
  const response = await fetch(`${portico.origin}${path}`, { headers })
  const text = await response.text()
  assert.equal(response.status, 200, `${path}: ${text.slice(0, 500)}`)
  return text
}

const parseSummary = (text: string): JsonObject => asObject(asObject(parseJson(text))['summary'])

/** Sends a request while the server's memory and a well-behaved client's latency are observed. */
async function watched<T>(
  { portico, token, siteId }: V2Client,
  spaceUuid: string,
  ask: () => Promise<T>,
): Promise<{ answer: T; report: OverloadReport }> {
  const watch = await watchServer(portico, {
    path: `/v2/spaces/${spaceUuid}/aggregate/electricity/daily?fromDateTime=${daysAgo(20)}&toDateTime=${daysAgo(10)}`,
    headers: { authorization: `Bearer ${token}`, SiteId: siteId },
  })
  const answer = await ask()
  return { answer, report: await watch.stop() }
}

/** Warms up: compiling code and growing the heap's young generation must not count towards a request. */
async function warmUp(client: V2Client, spaceUuid: string): Promise<void> {
  for (const metric of ['electricity', 'carbon', 'temperature']) {
    const year = `${metric}/daily?fromDateTime=${daysAgo(364)}&compareTo=siteAverage`
    await get(client, `/v2/spaces/${spaceUuid}/aggregate/${year}`)
  }
}

/** The client's latency on this machine while the server is otherwise idle. */
async function quietMs(client: V2Client, spaceUuid: string): Promise<number> {
  return (await watched(client, spaceUuid, () => sleep(1_000))).report.maxMs
}

function assertBounded({ growthMb, maxMs }: OverloadReport, quiet: number): void {
  assert.ok(growthMb <= MOST_GROWTH_MB, `memory grew by ${growthMb} MB`)
  const longest = LONGEST_WAIT_MS + BUSY_MACHINE * quiet
  assert.ok(
    maxMs <= longest,
    `another client waited ${Math.round(maxMs)} ms, and ${Math.round(quiet)} ms on the idle server`,
  )
}

/** The mean of the spaces' own values, leaving out those without one. */
async function meanOfSpaces(client: V2Client, spaces: readonly string[], query: string): Promise<number> {
  const known: number[] = []
  for (const uuid of spaces) {
    const { total, mean } = parseSummary(await get(client, `/v2/spaces/${uuid}/aggregate/${query}`))
    const figure = total ?? mean ?? null
    if (figure !== null) known.push(asNumber(figure))
  }
  return known.reduce((sum, value) => sum + value, 0) / known.length
}

describe('emissions of 60 months against the average of the demo', () => {
  let demo: Demo
  before(async () => {
    demo = await startDemo()
  })
  after(() => demo.stop())

  test('take bounded memory, do not delay other clients, and are correct', async (context) => {
    const { client } = demo
    const bedrooms = await client.list('/spaces?spaceType=bedroom')
    const uuids = bedrooms.map((bedroom) => asString(bedroom['spaceUuid']))
    const [first = ''] = uuids
    // The demo keeps measuring, so the range ends before today: the responses below are compared with each other.
    const from = thisMonth().subtract({ months: 60 })
    const query = `carbon/daily?interval=P1M&fromDateTime=${from.toString()}&toDateTime=${thisMonth().toString()}`
    await warmUp(client, first)
    const quiet = await quietMs(client, first)
    const ask = () => get(client, `/v2/spaces/${first}/aggregate/${query}&compareTo=siteAverage`)
    const { answer, report } = await watched(client, first, ask)
    context.diagnostic(JSON.stringify(report))
    assertBounded(report, quiet)
    const { comparison } = parseSummary(answer)
    const expected = await meanOfSpaces(client, uuids, query)
    // The sixty windows and the whole range are rounded separately.
    const value = asNumber(asObject(comparison)['value'])
    assert.ok(Math.abs(value - expected) < 1e-3, `${value} is not the mean of the spaces, ${expected}`)
  })
})

describe('the largest queries on a site with many spaces', () => {
  const spaceCount = scale(120, 1_000)
  let installation: Installation
  let site: LargeSite
  let quiet = 0
  before(async () => {
    installation = await startInstallation({ LOG_LEVEL: 'error' })
    site = await makeLargeSite(installation, spaceCount, scale(40, 1_000), scale(200, 1_826))
    const [first = ''] = site.spaces
    await warmUp(site.client, first)
    quiet = await quietMs(site.client, first)
  })
  after(() => installation.stop())

  /** Limited by the bound on emissions; see docs/api/v2.md. */
  const emissionsFrom = (): string =>
    400_000 / (spaceCount + 1) > 1_830 ? sixtyMonths() : daysAgo(Math.floor(400_000 / (spaceCount + 1)) - 32)

  const questions: [name: string, path: () => string][] = [
    [
      'carbon by month',
      () => `carbon/daily?interval=P1M&fromDateTime=${emissionsFrom()}&compareTo=siteAverage`,
    ],
    [
      'electricity by month',
      () => `electricity/daily?interval=P1M&fromDateTime=${sixtyMonths()}&compareTo=siteAverage`,
    ],
    [
      'performance by month',
      () => `performance/daily?interval=P1M&fromDateTime=${sixtyMonths()}&compareTo=siteAverage`,
    ],
    [
      'performance against the months before',
      () => `performance/daily?interval=P1M&fromDateTime=${sixtyMonths()}&compareTo=previousPeriod`,
    ],
    [
      'temperature by quarter hour',
      () => `temperature/hourly?interval=PT15M&fromDateTime=${daysAgo(30)}&compareTo=siteAverage`,
    ],
    [
      'temperature of all spaces by quarter hour',
      () => `temperature/hourly?interval=PT15M&fromDateTime=${daysAgo(30)}&scope=cluster`,
    ],
    [
      'electricity of all spaces by quarter hour',
      () =>
        `electricity/hourly?interval=PT15M&fromDateTime=${daysAgo(30)}&scope=cluster&compareTo=siteAverage`,
    ],
  ]

  for (const [name, path] of questions) {
    test(`${name}: bounded memory, and other clients are served meanwhile`, async (context) => {
      const [first = ''] = site.spaces
      const ask = () => get(site.client, `/v2/spaces/${first}/aggregate/${path()}`)
      const { report } = await watched(site.client, first, ask)
      context.diagnostic(JSON.stringify(report))
      assertBounded(report, quiet)
    })
  }

  test('version 1: histories, ranks, tips and a site’s occupancy, all concurrently', async (context) => {
    const { client, spaces, legacyId } = site
    const [first = ''] = spaces
    const id = legacyId(first)
    const paths = [
      `/spaces/utilities/${id}/history?from=${daysAgo(360)}`,
      `/spaces/utilities/${id}/monthly?from=${sixtyMonths()}`,
      `/spaces/multiSensor/${id}/history?from=${daysAgo(360)}`,
      `/spaces/carbonEmissions/${id}?from=${daysAgo(360)}`,
      `/spaces/performance/${id}`,
      `/spaces/utilities/rank/${id}`,
      `/spaces/tip/${id}`,
      `/sites/occupancy/${legacyId(client.siteId)}/history?from=${daysAgo(30)}`,
    ]
    const ask = () => Promise.all(paths.map((path) => get(client, `/v1${path}`)))
    const { report } = await watched(client, first, ask)
    context.diagnostic(JSON.stringify(report))
    assertBounded(report, quiet)
  })

  test('the average of all spaces is the mean of their own values', async () => {
    const { client, spaces } = site
    const some = `daily?fromDateTime=${daysAgo(60)}&toDateTime=${daysAgo(30)}`
    for (const metric of ['carbon', 'electricity', 'performance']) {
      const answer = await client.get(
        `/spaces/${spaces[0]}/aggregate/${metric}/${some}&compareTo=siteAverage`,
      )
      const { value } = asObject(asObject(answer['summary'])['comparison'])
      const expected = await meanOfSpaces(client, spaces, `${metric}/${some}`)
      assert.ok(Math.abs(asNumber(value) - expected) < 1e-4, `${metric}: ${String(value)}, not ${expected}`)
    }
  })

  test('emissions of too many space-days are rejected, and the error names the longest range allowed', async () => {
    const { client, spaces } = site
    const long = `carbon/daily?interval=P1M&fromDateTime=${sixtyMonths()}&scope=cluster&compareTo=siteAverage`
    const answer = await client.send(`/spaces/${spaces[0]}/aggregate/${long}`)
    assertFieldRefused(client.portico, answer, 'toDateTime')
    assert.match(answer.text, new RegExp(`at most ${Math.floor(400_000 / (2 * spaceCount))} days`))
  })
})

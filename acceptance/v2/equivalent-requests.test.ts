import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { stoppedClock } from '../support/preload/stopped-clock.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import type { Answer } from '../support/clients/requests.ts'
import { query } from '../support/clients/v2-client.ts'
import { ingestChannels } from '../support/clients/ingest-channels.ts'

/** Equivalent requests for a series in different forms get the same response. */
const HOUR = 3_600_000
const DAY = 24 * HOUR

// Limits are counted, and series end, by the clock.
const startedAt = Date.now()
const installation = await startInstallation({
  ...stoppedClock(startedAt),
  RATE_LIMIT: 'on',
  RATE_LIMIT_PER_MINUTE: '100000',
  RATE_LIMIT_PER_5_MINUTES: '100000',
})
after(() => installation.stop())
const house = makeSmallSite()
await applyInventory(installation, house.document)
const client = await addClient(installation, [house.siteUuid])
const [http] = ingestChannels(installation)
assert.ok(http)

const now = Math.floor(startedAt / HOUR) * HOUR
const series = [
  { deviceUuid: house.meter, metricType: 'electricity' },
  { deviceUuid: house.sensor, metricType: 'temperature' },
]
await http.send(
  Array.from({ length: 5 * 24 }, (_, index) => now - 5 * DAY + index * HOUR).flatMap((at) =>
    series.map((one) => ({ ...one, timestamp: new Date(at).toISOString(), value: (at % (7 * DAY)) / HOUR })),
  ),
)

const iso = (ms: number): string => new Date(ms).toISOString()
const ranges = [
  { fromDateTime: iso(now - 3 * DAY), toDateTime: iso(now - DAY) },
  { fromDateTime: iso(now - 2 * DAY), toDateTime: iso(now) },
  { fromDateTime: iso(now - 2 * DAY), toDateTime: iso(now + DAY) },
  { fromDateTime: iso(now - 30 * DAY), toDateTime: iso(now - 20 * DAY) },
]
const questions = ranges.flatMap((range) =>
  ['electricity', 'temperature', 'water', 'carbon'].flatMap((metric) =>
    (['hourly', 'daily'] as const).map((granularity) => {
      const path = `/spaces/${house.bedroom}/aggregate/${metric}/${granularity}${query(range)}`
      return { path, plain: decodeURIComponent(path), unusual: `${path}&scope=space` }
    }),
  ),
)

/** The response without the parts that differ between any two. */
function comparable({ status, headers, text }: Answer): object {
  const { date: _date, 'x-request-id': id, ...rest } = Object.fromEntries(headers)
  assert.match(id ?? '', /^[0-9a-f-]{36}$/)
  return {
    status,
    text,
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('x-ratelimit-remaining'))),
  }
}

const left = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining-5m'))

test('a read is identical in every form, has the same cost, and matches the same ETag', async () => {
  for (const { path, plain, unusual } of questions) {
    const answers: Answer[] = []
    for (const form of [path, plain, unusual, path, plain]) answers.push(await client.send(form))
    const [first, ...others] = answers
    assert.ok(first)
    assert.equal(first.status, 200, first.text)
    for (const other of others) assert.deepEqual(comparable(other), comparable(first), path)
    answers.reduce((before, answer) => {
      assert.ok(left(answer) < left(before), 'each of them is counted')
      return answer
    })

    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    const unchanged: Answer[] = []
    for (const form of [unusual, path, path, plain]) unchanged.push(await client.send(form, { headers }))
    for (const answer of unchanged) {
      assert.equal(answer.status, 304)
      assert.deepEqual(comparable(answer), comparable(unchanged[0] ?? answer), path)
      assert.ok(left(answer) >= left(unchanged[0] ?? answer), 'none of them is counted')
    }
  }
})

test('a read is identical in every form with every content coding', async () => {
  const codings = ['gzip', 'br', 'gzip, deflate, br', 'gzip;q=0.5, identity', '*', 'deflate', '*;q=0']
  const seen = new Set<string | null>()
  for (const { path, unusual } of questions) {
    for (const coding of codings) {
      const headers = { 'accept-encoding': coding }
      const usual = await client.send(path, { headers })
      const other = await client.send(unusual, { headers })
      if (coding === '*;q=0') {
        assertProblem(installation.portico, usual, 406)
        continue
      }
      assert.equal(usual.status, 200, usual.text)
      assert.deepEqual(comparable(usual), comparable(other), `${path} in ${coding}`)
      seen.add(usual.headers.get('content-encoding'))

      const known = { ...headers, 'if-none-match': usual.headers.get('etag') ?? '' }
      const unchanged = await client.send(path, { headers: known })
      assert.equal(unchanged.status, 304)
      assert.deepEqual(comparable(unchanged), comparable(await client.send(unusual, { headers: known })))
    }
  }
  assert.deepEqual(seen, new Set(['br', 'gzip', null]))
})

test('a read is identical in every form for callers that prefer JSON, and CSV for those that prefer CSV', async () => {
  const types = [
    'application/json',
    'application/json, text/plain, */*',
    '*/*',
    'text/csv',
    'text/csv, */*;q=0.1',
  ]
  for (const { path, unusual } of questions)
    for (const accept of types) {
      const usual = await client.send(path, { headers: { accept } })
      assert.equal(usual.status, 200, usual.text)
      assert.match(usual.headers.get('content-type') ?? '', accept.startsWith('text/csv') ? /csv/ : /json/)
      assert.deepEqual(
        comparable(usual),
        comparable(await client.send(unusual, { headers: { accept } })),
        path,
      )
    }
})

test('a correction is visible to the next read, including a conditional one', async () => {
  const path = `/spaces/${house.bedroom}/aggregate/temperature/hourly${query({ fromDateTime: iso(now - 2 * DAY), toDateTime: iso(now) })}`
  for (const [round, hoursAgo] of [3, 30, 3, 47, 30].entries()) {
    const before = await client.send(path)
    const headers = { 'if-none-match': before.headers.get('etag') ?? '' }
    for (let again = 0; again < 3; again += 1)
      assert.equal((await client.send(path, { headers })).status, 304)
    await http.send([
      {
        deviceUuid: house.sensor,
        metricType: 'temperature',
        timestamp: iso(now - hoursAgo * HOUR),
        value: 30 + round,
      },
    ])
    const changed = await client.send(path, { headers })
    assert.equal(changed.status, 200)
    assert.deepEqual(comparable(changed), comparable(await client.send(`${path}&scope=space`)))
  }
})

test('forbidden and invalid requests are rejected in the usual form, too', async () => {
  const path = `/spaces/${house.bedroom}/aggregate/temperature/hourly${query({ fromDateTime: iso(now - 2 * DAY), toDateTime: iso(now) })}`
  assert.equal((await client.send(path)).status, 200)
  const devicesOnly = await addClient(installation, [house.siteUuid], ['Devices.Read'])
  assertProblem(installation.portico, await devicesOnly.send(path), 403)
  const elsewhere = makeSmallSite()
  await applyInventory(installation, elsewhere.document)
  assertProblem(
    installation.portico,
    await client.send(path, { headers: { SiteId: elsewhere.siteUuid } }),
    403,
  )
  assertProblem(installation.portico, await client.send(path, { headers: { accept: 'image/png' } }), 406)
  const backwards = query({ fromDateTime: iso(now), toDateTime: iso(now - DAY) })
  assertProblem(
    installation.portico,
    await client.send(`/spaces/${house.bedroom}/aggregate/temperature/hourly${backwards}`),
    400,
  )
  const unknown = path.replace(house.bedroom, elsewhere.bedroom)
  assertProblem(installation.portico, await client.send(unknown), 404)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertCell, parseCsv } from '../support/oracles/csv.ts'
import { eventually } from '../support/eventually.ts'
import { randomFrom } from '../support/histories/random.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { asArray, asObject } from '../support/json.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { startPortico } from '../support/servers/portico.ts'
import type { Answer } from '../support/clients/requests.ts'
import { type ReadingRecord, ingestChannels } from '../support/clients/ingest-channels.ts'
import { query } from '../support/clients/v2-client.ts'
import { everyServerHasWorkers } from '../support/servers/workers.ts'

everyServerHasWorkers(2)

const HOUR = 3_600_000
const DAY = 24 * HOUR
const DAYS = 5
/** After each of these changes, every request is sent to both workers. */
const CHANGES = 7

const installation = await startInstallation()
after(() => installation.stop())
const { portico } = installation
const house = makeSmallSite()
await applyInventory(installation, house.document)
const client = await addClient(installation, [house.siteUuid])
const random = randomFrom(20_261_115)

const to = Math.floor(Date.now() / DAY) * DAY
const from = to - DAYS * DAY
/** Completed hours of today are not rolled up yet. */
const end = Math.floor(Date.now() / HOUR) * HOUR
const series = [
  { deviceUuid: house.meter, metricType: 'electricity' },
  { deviceUuid: house.secondMeter, metricType: 'electricity' },
  { deviceUuid: house.sensor, metricType: 'temperature' },
  { deviceUuid: house.trv, metricType: 'temperature' },
]

const readingAt = (at: number): ReadingRecord => {
  const one = random.pick(series)
  const base = one.metricType === 'electricity' ? (at - from) / HOUR : 20
  const value = Math.round((base + random.next()) * 1000) / 1000
  return { ...one, timestamp: new Date(at).toISOString(), value }
}

const history = Array.from({ length: (end - from) / HOUR }, (_, index) => from + index * HOUR).flatMap((at) =>
  series.map((one) => ({ ...readingAt(at), ...one })),
)

const untilRolledUp = (): Promise<void> =>
  eventually(async () => {
    assert.match(await readMetrics(portico), /^portico_rollup_queue_entries 0$/m)
  })

const rooms = [house.bedroom, house.secondBedroom, house.kitchen]
const ranges = [
  {
    fromDateTime: new Date(from + 7 * HOUR).toISOString(),
    toDateTime: new Date(to - 5 * HOUR).toISOString(),
  },
  { fromDateTime: new Date(from).toISOString(), toDateTime: new Date(to).toISOString() },
  { fromDateTime: new Date(end - DAY).toISOString(), toDateTime: new Date(end).toISOString() },
]
const questions = ranges.flatMap((range) =>
  ['electricity', 'temperature'].flatMap((metric) => [
    ...rooms.flatMap((room) =>
      ['hourly', 'daily'].map((name) => `/spaces/${room}/aggregate/${metric}/${name}${query(range)}`),
    ),
    `/spaces/${house.bedroom}/aggregate/${metric}/hourly${query({ ...range, scope: 'cluster' })}`,
  ]),
)

const ask = async (path: string, headers: Record<string, string> = {}): Promise<Answer> => {
  const answer = await client.send(path, { headers })
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  return answer
}

const seen = ({ text, headers }: Answer) => ({ text, etag: headers.get('etag') })

/** CSV is encoded from the values each time, without the cache. */
function assertWindows(answer: Answer, csv: Answer, path: string): void {
  const windows = asArray(answer.json['timeSeries']).map(asObject)
  const rows = parseCsv(csv.text)
  assert.equal(rows.length, windows.length, path)
  for (const [index, window] of windows.entries())
    for (const [name, value] of Object.entries(window)) assertCell(rows[index]?.[name], value)
}

async function everyAnswer(): Promise<ReturnType<typeof seen>[]> {
  const answers: ReturnType<typeof seen>[] = []
  for (const path of questions) {
    // Each over a new connection, and so to either worker.
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => ask(path)))
    assert.ok(first)
    for (const other of others) assert.deepEqual(seen(other), seen(first), path)
    assert.equal((await ask(path, { 'accept-encoding': 'gzip' })).text, first.text, path)
    assertWindows(first, await ask(path, { accept: 'text/csv' }), path)
    const etag = first.headers.get('etag') ?? ''
    assert.equal((await client.send(path, { headers: { 'if-none-match': etag } })).status, 304, path)
    answers.push(seen(first))
  }
  return answers
}

/** Ingest channels: HTTP to a worker, and a command next to the server. */
const ways = ingestChannels(installation)

async function changeSomething(): Promise<void> {
  if (random.chance(0.3)) {
    const { devices } = house.document
    const device = devices[random.below(4)]
    assert.ok(device)
    device['spaceUuid'] = random.pick(rooms)
    device['since'] = new Date(from + random.below(DAYS * 24) * HOUR).toISOString()
    await applyInventory(installation, house.document)
    return
  }
  const readings = Array.from({ length: 1 + random.below(3) }, () =>
    // A later one would still be valid now, and the coverage of today would grow.
    readingAt(from + random.below(((end - from) / HOUR - 1) * 4) * (HOUR / 4)),
  )
  await random.pick(ways).send(readings)
}

test('no cache serves data from before a correction, a late reading or a move, in any process', async () => {
  await ways[0]?.send(history)
  await untilRolledUp()
  let last = await everyAnswer()
  for (let change = 0; change < CHANGES; change += 1) {
    await changeSomething()
    last = await everyAnswer()
    if (random.chance(0.5)) await untilRolledUp()
  }
  const { dataDir, port } = portico
  await portico.stop()
  await using _again = await startPortico({ demo: false, dataDir, port, env: { RATE_LIMIT: 'off' } })
  assert.deepEqual(await everyAnswer(), last, 'a process that has kept nothing says the same')
})

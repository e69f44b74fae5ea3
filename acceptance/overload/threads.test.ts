import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { postReadings, type ReadingRecord } from '../support/clients/ingest-channels.ts'
import { api } from '../support/clients/requests.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject, asString, parseJson } from '../support/json.ts'
import { todayHere } from '../support/oracles/demo-series.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { applyInventory, demoAt } from '../support/servers/installation.ts'
import { startPortico } from '../support/servers/portico.ts'

const file = join(mkdtempSync(join(tmpdir(), 'portico-threads-')), 'failing')
const demo = await demoAt(
  await startPortico({
    env: {
      RATE_LIMIT: 'off',
      FAILING_THREAD_FILE: file,
      NODE_OPTIONS: `--import=${import.meta.resolve('../support/preload/failing-thread.ts')}`,
    },
  }),
)
after(() => demo.stop())
const { client, portico } = demo

/** Makes a thread end, or stall until the file is removed, at the next work that it gets. */
const disturb = (thread: 'compute' | 'ingest', how: 'exit' | 'stall'): void =>
  writeFileSync(file, `${thread} ${how}`)

describe('a page that is computed in a thread', () => {
  const past = (days: number): string => todayHere.subtract({ days }).toString()
  let path = ''
  before(async () => {
    // 14,880 points: more than are computed in the event loop.
    const spaces = (await client.list('/spaces?limit=5')).map(({ spaceUuid }) => spaceUuid).join()
    path = `/aggregate/hourly?metricTypes=temperature&spaceUuids=${spaces}&interval=PT15M&fromDateTime=${past(31)}&toDateTime=${past(0)}`
  })

  test('is 503 if the thread fails, and the next one is computed by another thread', async () => {
    const before = await client.send(path)
    assert.equal(before.status, 200, before.text.slice(0, 500))
    disturb('compute', 'exit')
    const failed = await client.send(path)
    assertProblem(portico, failed, 503)
    assert.ok(Number(failed.headers.get('retry-after')) > 0)
    assert.ok(!existsSync(file), 'the thread has failed')
    const again = await client.send(path)
    assert.equal(again.status, 200)
    assert.equal(again.headers.get('etag'), before.headers.get('etag'))
    assert.equal(again.text, before.text)
    assert.match(portico.output(), /a thread has failed/)
  })

  test('has no body for HEAD, and none if the client has it', async () => {
    const { headers } = await client.send(path)
    const etag = asString(headers.get('etag'))
    const known = await client.send(path, { headers: { 'if-none-match': etag } })
    assert.equal(known.status, 304)
    assert.equal(known.text, '')
    const head = await client.send(path, { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('etag'), etag)
  })

  test('whose client has gone does not keep others from theirs', async () => {
    const headers = { authorization: `Bearer ${client.token}`, SiteId: client.siteId }
    for (let round = 0; round < 12; round += 1) {
      await fetch(`${portico.origin}/v2${path}`, { headers, signal: AbortSignal.timeout(20) }).catch(() => {})
    }
    const page = await client.send(path)
    assert.equal(page.status, 200)
    assert.ok(asArray(page.json['series']).length > 0)
  })
})

describe('readings, which are parsed and stored by a thread', () => {
  const house = makeSmallSite()
  const reading = (minute: number): ReadingRecord => ({
    deviceUuid: house.meter,
    metricType: 'electricity',
    timestamp: new Date(Date.UTC(2026, 9, 1, 10, minute)).toISOString(),
    value: 100 + minute,
  })
  before(() => applyInventory(demo, house.document))

  test('are 503 if the thread fails; what was acknowledged before is stored, and the rest can be repeated', async () => {
    const first = await postReadings(demo, 'ndjson', JSON.stringify(reading(0)))
    assert.equal(first['accepted'], 1)
    disturb('ingest', 'exit')
    const body = [reading(0), reading(1)].map((one) => JSON.stringify(one)).join('\n')
    const failed = await api(portico, '/operator/readings', {
      method: 'POST',
      token: demo.operator,
      headers: { 'content-type': 'application/x-ndjson' },
      body,
    })
    assertProblem(portico, failed, 503)
    assert.ok(!existsSync(file), 'the thread has failed')
    const report = await postReadings(demo, 'ndjson', body)
    assert.deepEqual([report['accepted'], report['unchanged']], [1, 1])
  })

  test('that the thread cannot take yet remain at the sender, and other requests are answered', async () => {
    disturb('ingest', 'stall')
    const line = `"${'x'.repeat(100_000)}"\n`
    const lines = 640
    const sending = request(`${portico.origin}/operator/readings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.operator}`, 'content-type': 'application/x-ndjson' },
    })
    let taken = 0
    const sendAll = async (): Promise<void> => {
      for (; taken < lines; taken += 1)
        await new Promise<void>((resolve) => sending.write(line, () => resolve()))
      sending.end(JSON.stringify(reading(2)))
    }
    try {
      const responded = once(sending, 'response') as Promise<[IncomingMessage]>
      const sent = sendAll()
      for (let unchangedFor = 0, before = 0; unchangedFor < 10; before = taken) {
        assert.equal((await client.send('/spaces?limit=1')).status, 200)
        unchangedFor = taken > 0 && taken === before ? unchangedFor + 1 : 0
      }
      assert.ok(taken < lines / 2, `${taken} of ${lines} lines were taken`)
      rmSync(file)
      await sent
      const [response] = await responded
      const report = asObject(parseJson(await text(response)))
      assert.equal(response.statusCode, 200)
      assert.deepEqual([report['accepted'], report['refusedCount']], [1, lines])
    } finally {
      rmSync(file, { force: true })
      sending.destroy()
    }
  })
})

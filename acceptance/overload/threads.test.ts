import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { asArray, asString } from '../support/json.ts'
import { todayHere } from '../support/oracles/demo-series.ts'
import { assertV8ThreadsYield } from '../support/overload/v8-threads.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { createFailingThread } from '../support/servers/failing-thread.ts'
import { demoAt } from '../support/servers/installation.ts'
import { startPortico } from '../support/servers/portico.ts'

const failing = createFailingThread('compute')
const demo = await demoAt(await startPortico({ env: { RATE_LIMIT: 'off', ...failing.env } }))
after(() => demo.stop())
const { client, portico } = demo

test('the threads of V8 have a lower priority than the event loop', () => {
  assertV8ThreadsYield(portico.pid)
})

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
    failing.disturb('exit')
    const failed = await client.send(path)
    assertProblem(portico, failed, 503)
    assert.ok(Number(failed.headers.get('retry-after')) > 0)
    assert.ok(!failing.isPending(), 'the thread has failed')
    const again = await client.send(path)
    assert.equal(again.status, 200)
    assert.equal(again.headers.get('etag'), before.headers.get('etag'))
    assert.equal(again.text, before.text)
    await portico.waitForOutput(/a thread has failed/)
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

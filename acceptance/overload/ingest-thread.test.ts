import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { getPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { postReadings, type ReadingRecord } from '../support/clients/ingest-channels.ts'
import { endDevices, type MqttDevice, toReadingsPayload } from '../support/clients/mqtt.ts'
import { api } from '../support/clients/requests.ts'
import { addMqttSite, type MqttSite, valuesAt } from '../support/fixtures/mqtt-site.ts'
import { eventually } from '../support/eventually.ts'
import { asObject, parseJson } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { createFailingThread } from '../support/servers/failing-thread.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'

const failing = createFailingThread('ingest')
let installation: Installation
let site: MqttSite

before(async () => {
  installation = await startInstallation(failing.env)
  site = await addMqttSite(installation)
})
after(async () => {
  endDevices()
  await installation.stop()
})

describe('an upload of readings', () => {
  const reading = (minute: number): ReadingRecord => ({
    deviceUuid: site.house.meter,
    metricType: 'electricity',
    timestamp: new Date(Date.UTC(2026, 9, 1, 10, minute)).toISOString(),
    value: 100 + minute,
  })

  test('is 503 if the thread fails; what was acknowledged before is stored, and the upload can be repeated', async () => {
    const first = await postReadings(installation, 'ndjson', JSON.stringify(reading(0)))
    assert.equal(first['accepted'], 1)
    failing.disturb('exit')
    const body = [reading(0), reading(1)].map((one) => JSON.stringify(one)).join('\n')
    const failed = await api(installation.portico, '/operator/readings', {
      method: 'POST',
      token: installation.operator,
      headers: { 'content-type': 'application/x-ndjson' },
      body,
    })
    assertProblem(installation.portico, failed, 503)
    assert.ok(!failing.isPending(), 'the thread has failed')
    const report = await postReadings(installation, 'ndjson', body)
    assert.deepEqual([report['accepted'], report['unchanged']], [1, 1])
  })

  test('is parsed by a thread that has a lower priority than the event loop', async () => {
    const { pid } = installation.portico
    await postReadings(installation, 'ndjson', JSON.stringify(reading(3)))
    // The thread that has failed may still be ending.
    await eventually(async () => {
      const threads: string[] = []
      for (const thread of await readdir(`/proc/${pid}/task`))
        if ((await readFile(`/proc/${pid}/task/${thread}/comm`, 'utf8')).trim() === 'ingest')
          threads.push(thread)
      assert.equal(threads.length, 1)
      assert.ok(getPriority(Number(threads[0])) > getPriority(pid))
    })
  })

  test('that the thread cannot take yet remains at the sender, and other requests are answered', async () => {
    failing.disturb('stall')
    const line = `"${'x'.repeat(100_000)}"\n`
    const lines = 640
    const sending = request(`${installation.portico.origin}/operator/readings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${installation.operator}`, 'content-type': 'application/x-ndjson' },
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
        assert.equal((await site.partner.send('/spaces?limit=1')).status, 200)
        unchangedFor = taken > 0 && taken === before ? unchangedFor + 1 : 0
      }
      assert.ok(taken < lines / 2, `${taken} of ${lines} lines were taken`)
      failing.recover()
      await sent
      const [response] = await responded
      const report = asObject(parseJson(await text(response)))
      assert.equal(response.statusCode, 200)
      assert.deepEqual([report['accepted'], report['refusedCount']], [1, lines])
    } finally {
      failing.recover()
      sending.destroy()
    }
  })
})

describe('readings over MQTT', () => {
  let gateway: MqttDevice
  before(async () => {
    gateway = await site.connect()
  })
  const send = (day: string, hour: number, value: number): Promise<void> =>
    gateway.publish(
      site.topic(site.house.meter, 'readings'),
      toReadingsPayload(['electricity', `${day}T${String(hour).padStart(2, '0')}:00:00Z`, value]),
    )
  const stored = (day: string): Promise<number[]> => valuesAt(site.partner, site.house.meter, day)

  test('are stored by another thread if the thread fails, in their order, and then acknowledged', async () => {
    const day = '2026-02-01'
    await send(day, 0, 100)
    failing.disturb('exit')
    await Promise.all([send(day, 1, 1), send(day, 1, 101), send(day, 2, 102)])
    assert.ok(!failing.isPending(), 'the thread has failed')
    assert.deepEqual(await stored(day), [100, 101, 102])
  })

  test('are not acknowledged while the thread cannot take them, and other requests are answered', async () => {
    const day = '2026-02-02'
    let acknowledged = 0
    failing.disturb('stall')
    try {
      const sent = Array.from({ length: 8 }, async (_, hour) => {
        await send(day, hour, 100 + hour)
        acknowledged += 1
      })
      for (let reads = 0; reads < 20; reads += 1)
        assert.equal((await site.partner.send('/spaces?limit=1')).status, 200)
      assert.equal(acknowledged, 0)
      failing.recover()
      await Promise.all(sent)
      assert.equal((await stored(day)).length, 8)
    } finally {
      failing.recover()
    }
  })
})

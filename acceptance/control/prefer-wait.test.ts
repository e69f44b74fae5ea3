import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acknowledges, silent } from '../support/control/device-behaviours.ts'
import { override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { eventually } from '../support/eventually.ts'
import { asString, type JsonObject } from '../support/json.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import type { Answer } from '../support/clients/requests.ts'

const control = await useControl()
const site = await control.addSite()
const device = await site.device()
const client = await site.client()

const deviceUuid = device.deviceUuid
const toPath = (command: JsonObject): string => `/devices/${deviceUuid}/commands/${getId(command)}`

const readWith = (path: string, etag: string | null, wait: string): Promise<Answer> =>
  client.send(path, {
    headers: { prefer: `wait=${wait}`, ...(etag === null ? {} : { 'if-none-match': etag }) },
  })

const isApplied = ({ headers }: Answer): boolean => headers.get('preference-applied') === 'wait'

/** A command that its device has received but does not respond to. */
async function sentCommand(): Promise<{ command: JsonObject; path: string; etag: string }> {
  device.answering = silent
  const command = await site.accept(override(20))
  await site.until(command, 'SENT')
  const { headers } = await client.send(toPath(command))
  return { command, path: toPath(command), etag: asString(headers.get('etag')) }
}

describe('Prefer: wait', () => {
  test('of a command: the change during the wait is the response', async () => {
    const { command, path, etag } = await sentCommand()
    const waiting = readWith(path, etag, '30')
    const cancelled = await site.cancel(command)
    assert.equal(cancelled.status, 200)
    const answer = await waiting
    assert.equal(answer.status, 200)
    assert.equal(answer.json['state'], 'CANCELLED')
    assert.ok(isApplied(answer))
  })

  test('of a command: what the device reports ends the wait', async () => {
    device.answering = acknowledges
    await device.present('offline')
    const command = await site.accept(override(21))
    const path = toPath(command)
    const { headers } = await client.send(path)
    const waiting = readWith(path, headers.get('etag'), '30')
    await device.present('online')
    const answer = await waiting
    assert.equal(answer.status, 200)
    assert.notEqual(answer.json['state'], 'PENDING')
  })

  test('a change before the request, or no If-None-Match, is answered immediately', async () => {
    const { command, path, etag } = await sentCommand()
    await site.cancel(command)
    assert.equal((await readWith(path, etag, '30')).status, 200)
    const plain = await readWith(path, null, '30')
    assert.equal(plain.status, 200)
    assert.ok(!isApplied(plain))
  })

  test('when the time is up, the response is 304', async () => {
    const { path, etag } = await sentCommand()
    const answer = await readWith(path, etag, '1')
    assert.equal(answer.status, 304)
    assert.ok(isApplied(answer))
  })

  test('the wait does not count as duration in the metrics', async () => {
    const { path, etag } = await sentCommand()
    const sumOf = async (): Promise<number> => {
      const metrics = await readMetrics(control.portico)
      const name = /^portico_http_request_duration_seconds_sum\{.*commands\/:commandUuid".* (\S+)$/gm
      return [...metrics.matchAll(name)].reduce((sum, [, value]) => sum + Number(value), 0)
    }
    const before = await sumOf()
    assert.equal((await readWith(path, etag, '5')).status, 304)
    const seconds = (await sumOf()) - before
    assert.ok(seconds > 0 && seconds < 5, `${seconds}`)
  })

  test('0, a negative number and text are ignored', async () => {
    const { path, etag } = await sentCommand()
    for (const wait of ['0', '-1', 'x', '']) {
      const answer = await readWith(path, etag, wait)
      assert.equal(answer.status, 304)
      assert.ok(!isApplied(answer), wait)
    }
  })

  test('of a schedule: a new command ends the wait', async () => {
    const path = `/devices/${deviceUuid}/schedule`
    const { headers } = await client.send(path)
    const waiting = readWith(path, headers.get('etag'), '31')
    const command = await site.accept(override(19))
    const answer = await waiting
    assert.equal(answer.status, 200)
    assert.ok(answer.text.includes(getId(command)))
  })

  test('beyond 200 waiting requests of a partner on a site, the header is ignored', async () => {
    const { command, path, etag } = await sentCommand()
    const done: Answer[] = []
    const many = Array.from({ length: 210 }, async () => {
      const answer = await readWith(path, etag, '30')
      done.push(answer)
      return answer
    })
    await eventually(async () => assert.equal(done.length, 10))
    assert.ok(done.every((answer) => answer.status === 304 && !isApplied(answer)))
    await site.cancel(command)
    const answers = await Promise.all(many)
    assert.equal(answers.filter((answer) => answer.status === 200 && isApplied(answer)).length, 200)
  })

  test('a client that closes its connection leaves no waiting request behind', async () => {
    const { command, path, etag } = await sentCommand()
    const { portico, token, siteId } = client
    const headers = {
      authorization: `Bearer ${token}`,
      siteid: siteId,
      prefer: 'wait=30',
      'if-none-match': etag,
    }
    for (let count = 0; count < 210; count += 1) {
      const abort = new AbortController()
      const request = fetch(`${portico.origin}/v2${path}`, { headers, signal: abort.signal })
      setImmediate(() => abort.abort())
      await request.catch(() => {})
    }
    const waiting = readWith(path, etag, '30')
    await site.cancel(command)
    assert.ok(isApplied(await waiting))
  })
})

import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  createExternalService,
  type ExternalService,
  ExternalServiceError,
} from '../../../../src/domain/external/external-service.ts'
import { createClock, type SetClock } from '../../../support/clock.ts'
import {
  FAILURES,
  json,
  type FakeService,
  type Reply,
  STALL_MS,
  STALLS,
  startFakeService,
} from '../../../support/external-service.ts'

interface Bench {
  service: FakeService
  outside: ExternalService
  clock: SetClock
  failures: ExternalServiceError[]
}

async function bench(t: TestContext, reply: Reply, prefix = '', timeoutMs = 120_000): Promise<Bench> {
  const service = await startFakeService(t, reply)
  const clock = createClock()
  const failures: ExternalServiceError[] = []
  const outside = createExternalService({
    name: 'the service',
    url: service.url + prefix,
    maxBytes: 1_000,
    clock,
    timeoutMs,
    onFailure: (error) => failures.push(error),
  })
  return { service, outside, clock, failures }
}

const read = (answer: unknown): unknown => {
  if (typeof answer === 'object' && answer !== null && 'fine' in answer) return answer.fine
  throw new TypeError('not fine')
}

describe('an external service', () => {
  test('is requested below the configured URL, including the key in it', async (t) => {
    const { service, outside } = await bench(t, json({ fine: 1 }), '/base/?apikey=k')
    assert.equal(await outside.get({ path: '/a/b', query: { x: '1,2' }, read }), 1)
    assert.deepEqual(service.requests, ['/base/a/b?apikey=k&x=1%2C2'])
  })

  for (const [what, reply] of Object.entries(FAILURES)) {
    test(`${what} is a failure, after which no request is sent for half a minute`, async (t) => {
      const { service, outside, clock, failures } = await bench(t, reply)
      const ask = () => outside.get({ path: '/', read })
      await assert.rejects(ask, (error) => error instanceof ExternalServiceError && !error.isRejection)
      service.reply = json({ fine: 1 })
      await assert.rejects(ask, ExternalServiceError)
      assert.equal(service.requests.length, 1)
      assert.equal(failures.length, 1)
      clock.at += 30_000
      assert.equal(await ask(), 1)
    })
  }

  for (const [what, reply] of Object.entries(STALLS)) {
    test(`${what} until the timeout is a failure`, async (t) => {
      const { service, outside } = await bench(t, reply, '', STALL_MS)
      await assert.rejects(outside.get({ path: '/', read }), ExternalServiceError)
      await assert.rejects(outside.get({ path: '/', read }), ExternalServiceError)
      assert.equal(service.requests.length, 1)
    })
  }

  test('a refused connection is a failure', async (t) => {
    const { service } = await bench(t, json({}))
    const url = service.url.replace(/\d+$/, '1')
    const options = { name: 'nobody', maxBytes: 10, clock: createClock(), onFailure: () => {} }
    await assert.rejects(
      createExternalService({ ...options, url }).get({ path: '/', read }),
      ExternalServiceError,
    )
  })

  test('a rejected request does not affect other requests', async (t) => {
    const { service, outside } = await bench(t, json({ error: true, reason: 'no such place' }, 400))
    await assert.rejects(
      outside.get({ path: '/', read }),
      (error) => error instanceof ExternalServiceError && error.isRejection,
    )
    service.reply = json({ fine: 1 })
    assert.equal(await outside.get({ path: '/', read }), 1)
  })

  test('a redirect is not followed', async (t) => {
    const elsewhere = await startFakeService(t, json({ fine: 1 }))
    const { outside } = await bench(t, (_request, response) => {
      response.writeHead(302, { location: elsewhere.url }).end()
    })
    await assert.rejects(outside.get({ path: '/', read }), ExternalServiceError)
    assert.deepEqual(elsewhere.requests, [])
  })

  test('a small body that decompresses to a large one is too large', async (t) => {
    const packed = gzipSync(JSON.stringify({ fine: ' '.repeat(100_000) }))
    assert.ok(packed.length < 1_000)
    const { outside } = await bench(t, (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
    })
    await assert.rejects(
      outside.get({ path: '/', read }),
      ({ cause }: Error) => cause instanceof Error && /1000 bytes/.test(cause.message),
    )
  })

  test('at most four requests are open at a time', async (t) => {
    let [open, most] = [0, 0]
    const { outside } = await bench(t, (_request, response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open -= 1
        response.end('{"fine":1}')
      }, 5)
    })
    await Promise.all(Array.from({ length: 12 }, () => outside.get({ path: '/', read })))
    assert.equal(most, 4)
  })
})

import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import {
  ForbiddenError,
  GoneError,
  type Portico,
  type SiteEvent,
  TimeoutError,
  verifyWebhook,
} from '../../src/index.ts'
import { runListen } from '../../src/cli/listen.ts'
import { catchRejection, never, SITE, type Stub, type StubAnswer, startStub } from './stub.ts'

const event = (number: number) => ({
  eventUuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  type: 'device.offline',
  version: 1,
  timestamp: '2026-11-15T10:00:00.123Z',
  siteUuid: SITE,
  number,
  data: {},
})

const page = (...numbers: number[]): StubAnswer => ({
  headers: { 'preference-applied': 'wait' },
  body: {
    data: numbers.map(event),
    pagination: { nextAfter: numbers.at(-1) ?? 19, hasMore: false },
  },
})

/** A server that responds with these, and then waits forever. */
const serve = (...answers: (StubAnswer | Error)[]): Stub =>
  startStub((_, index) => {
    const answer = answers[index] ?? never()
    if (answer instanceof Error) throw answer
    return answer
  })

async function take(portico: Portico, count: number, after?: number): Promise<number[]> {
  const numbers: number[] = []
  for await (const { number } of portico.site().events.follow({ after, types: ['device.offline'] })) {
    numbers.push(number)
    if (numbers.length === count) break
  }
  return numbers
}

const pathsOf = (stub: Stub): string[] => stub.seen.map(({ path }) => path)

describe('following the events of a site', () => {
  test('waits at the server, after the last event it has', async () => {
    const stub = serve(page(18, 19), page(), page(20))
    assert.deepEqual(await take(stub.create(), 3, 17), [18, 19, 20])
    assert.deepEqual(pathsOf(stub), [
      '/events?after=17&types=device.offline',
      '/events?after=19&types=device.offline',
      '/events?after=19&types=device.offline',
    ])
    assert.ok(stub.seen.every(({ headers }) => headers.get('prefer') === 'wait=25'))
    assert.ok(stub.seen.every(({ headers }) => headers.get('siteid') === SITE))
  })

  test('begins with the last hour', async () => {
    const stub = serve(page(1), page(2))
    assert.deepEqual(await take(stub.create(), 2), [1, 2])
    assert.deepEqual(pathsOf(stub), ['/events?types=device.offline', '/events?after=1&types=device.offline'])
  })

  test('goes on after an outage, without a hole and without a repetition', async () => {
    const stub = serve(page(1), new TypeError('cut'), { status: 503 }, page(2))
    assert.deepEqual(await take(stub.create({ maxRetries: 0 }), 2, 0), [1, 2])
    assert.deepEqual(
      pathsOf(stub).map((path) => /after=(\d+)/.exec(path)?.[1]),
      ['0', '1', '1', '1'],
    )
  })

  test('polls a server that does not wait', async () => {
    const stub = serve({ body: { data: [], pagination: { nextAfter: 0, hasMore: false } } }, page(1))
    assert.deepEqual(await take(stub.create(), 1, 0), [1])
  })

  test('ends if events were removed, or may not be read', async () => {
    assert.ok((await catchRejection(take(serve({ status: 410 }).create(), 1, 3))) instanceof GoneError)
    assert.ok((await catchRejection(take(serve({ status: 403 }).create(), 1))) instanceof ForbiddenError)
  })

  test('is not ended by the deadline of the client, but by its own', async () => {
    const stub = startStub(async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      return page(index)
    })
    const { events } = stub.create({ deadlineMs: 10 }).site()
    const numbers: number[] = []
    for await (const { number } of events.follow({ after: 0 })) if (numbers.push(number) === 2) break
    assert.deepEqual(numbers, [0, 1])
    const ended = (async () => {
      for await (const { number } of events.follow({ after: 0 }, { deadlineMs: 50 })) numbers.push(number)
    })()
    assert.ok((await catchRejection(ended)) instanceof TimeoutError)
  })

  test('ends with its signal', async () => {
    const stub = serve(page(1))
    const controller = new AbortController()
    const reason = new Error('enough')
    const ended = (async () => {
      for await (const _ of stub.create().site().events.follow({}, { signal: controller.signal }))
        setTimeout(() => controller.abort(reason), 5)
    })()
    assert.equal(await catchRejection(ended), reason)
  })
})

test('one event, and the number of the newest', async () => {
  const first = { body: { data: [event(1), event(2)], pagination: { nextAfter: 2, hasMore: true } } }
  const stub = serve(first, page(3), { body: event(3) })
  const { events } = stub.create().site()
  assert.equal(await events.newest(), 3)
  assert.equal((await events.get(event(3).eventUuid)).number, 3)
  assert.deepEqual(pathsOf(stub), [
    '/events?limit=1000',
    '/events?after=2&limit=1000',
    `/events/${event(3).eventUuid}`,
  ])
})

test('`listen` posts new events, signed as webhooks with the secret that it prints', async () => {
  const stub = serve(page(6), page(7, 8))
  const lines: string[] = []
  const posted: SiteEvent[] = []
  const controller = new AbortController()
  const receive = async (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    const secret = /whsec_\S+/.exec(lines[0] ?? '')?.[0]
    posted.push((await verifyWebhook(init.body as string, new Headers(init.headers), secret)) as SiteEvent)
    if (posted.length === 2) controller.abort()
    return new Response(null, { status: posted.length === 1 ? 204 : 500 })
  }
  const mocked = mock.method(globalThis, 'fetch', receive)
  try {
    const { signal } = controller
    const options = { forward: 'http://localhost:3000/hooks', client: stub.options, signal }
    await catchRejection(runListen((line) => lines.push(line), options))
  } finally {
    mocked.mock.restore()
  }
  assert.deepEqual(
    posted.map(({ number }) => number),
    [7, 8],
  )
  assert.match(lines[1] ?? '', /Forwarding events after number 6 to http:\/\/localhost:3000\/hooks/)
  assert.match(lines[2] ?? '', /^7 device\.offline -> 204 in \d+ ms$/)
  assert.match(lines[3] ?? '', /^8 device\.offline -> 500 in \d+ ms$/)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openEventStream } from '../support/clients/event-stream.ts'
import { asUuid, parseJson } from '../support/json.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { loadRoutes } from '../support/fixtures/routes.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { addWebhook, getWebhook, LOOPBACK } from '../support/webhooks/webhooks.ts'

const installation = await startInstallation(LOOPBACK)
after(() => installation.stop())
const { portico } = installation
const [house, foreign] = [makeSmallSite(), makeSmallSite()]
for (const { document } of [house, foreign]) await applyInventory(installation, document)
const client = await addClient(installation, [house.siteUuid])
const stranger = await addClient(installation, [foreign.siteUuid])

/** A port on which nothing listens: a test delivery fails immediately. */
const URL_OF_NOTHING = 'http://127.0.0.1:1/'
const { webhookUuid } = await addWebhook(client, URL_OF_NOTHING)
const { webhookUuid: foreignWebhook } = await addWebhook(stranger, URL_OF_NOTHING)
await client.post(`/devices/${house.trv}/schedule`, { type: 'resume' })
const [first] = await client.list('/events')
const eventUuid = String(first?.['eventUuid'])

const routes = (await loadRoutes(portico))
  .filter(({ path }) => path.startsWith('/webhooks'))
  .map(({ method, path }) => ({ method, path }))
assert.ok(routes.length >= 10)

interface Attempt {
  method: string
  path: string
  body?: string
  headers?: Record<string, string>
}

/** Asserts a response without a fault of the server; an error is a problem that reveals nothing. */
async function assertAnswered({ method, path, body, headers }: Attempt): Promise<number> {
  const response = await fetch(`${portico.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${client.token}`,
      siteid: house.siteUuid,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body === undefined || method === 'GET' ? {} : { body }),
  })
  const text = await response.text()
  const called = `${method} ${path} ${body?.slice(0, 300) ?? ''}: ${response.status} ${text.slice(0, 300)}`
  assert.ok(response.status < 500, called)
  if (response.status >= 400) {
    assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json\b/, called)
    asUuid((parseJson(text) as { traceId?: unknown }).traceId)
    assert.doesNotMatch(text, /node_modules|\.ts:|\.js:|SQLITE|postgres|at \w+ \(/i, called)
  }
  return response.status
}

const UUIDS = [webhookUuid, foreignWebhook, eventUuid, house.siteUuid, foreign.siteUuid, house.trv]
const uuid = fc.oneof(fc.constantFrom(...UUIDS), fc.uuid())
const text = fc.oneof(
  fc.constantFrom(
    '',
    '\0',
    'a\0b',
    '\ud800',
    '__proto__',
    "' OR 1=1 --",
    'a'.repeat(201),
    'a'.repeat(70_000),
  ),
  fc.constantFrom(
    'https://[',
    'https://a\0b/',
    'https://\ud800/',
    'https://a/\0',
    'https://xn--/',
    'https:/a',
  ),
  fc.string({ unit: 'binary' }),
)
const number = fc.oneof(
  fc.constantFrom(
    0,
    -1,
    1.5,
    1e308,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    Number.MAX_SAFE_INTEGER,
    -Number.MAX_SAFE_INTEGER,
  ),
  fc.integer(),
)
const time = fc.constantFrom(
  '0000-01-01',
  '9999-12-31T23:59:59Z',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '2026-02-30',
  '2026-11-15T00:00:00Z',
)
const types = fc.array(fc.oneof(fc.constantFrom('command.updated', 'webhook.test', 'toString'), text), {
  maxLength: 60,
})
const wild = fc.oneof(text, number, time, uuid, types, fc.array(uuid), fc.jsonValue())
const object = fc.record(
  {
    url: fc.oneof(fc.constant(URL_OF_NOTHING), wild),
    description: fc.oneof(text, wild),
    eventTypes: fc.oneof(types, fc.constantFrom(null, ['command.updated']), wild),
    siteUuids: fc.oneof(fc.constantFrom(null, [house.siteUuid], [foreign.siteUuid]), fc.array(uuid), wild),
    heartbeat: fc.oneof(fc.boolean(), wild),
    state: fc.oneof(fc.constantFrom('enabled', 'paused', 'disabled', 'constructor'), wild),
    from: fc.oneof(fc.constantFrom('now', 'where-it-stopped'), wild),
    siteUuid: fc.oneof(fc.constantFrom(house.siteUuid, foreign.siteUuid), wild),
    fromNumber: fc.oneof(number, wild),
    toNumber: fc.oneof(number, wild),
    fromDateTime: fc.oneof(time, wild),
    toDateTime: fc.oneof(time, wild),
    only: fc.oneof(fc.constant('failed'), wild),
  },
  { requiredKeys: [] },
)
/** Bodies with the fields of one call, with those of another, and without any form. */
const body = fc.oneof(
  { weight: 6, arbitrary: object.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '{', '[]', 'null', '"a"', '{"url":1e999}', '{"url":"a","url":"b"}', '\0'),
  },
  { weight: 1, arbitrary: fc.nat(5_000).map((depth) => '['.repeat(depth)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(63_000, 66_000, 1_100_000).map((size) => `{"url":"${'x'.repeat(size)}"}`),
  },
)
const segment = fc.oneof(
  { weight: 4, arbitrary: uuid },
  {
    weight: 1,
    arbitrary: text.map((value) => encodeURIComponent(value.slice(0, 2_000).toWellFormed()) || 'x'),
  },
)

test('for any body and any identifier, a call of webhooks is answered without a fault, and changes no foreign one', async () => {
  const before = await getWebhook(stranger, foreignWebhook)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...routes),
      segment,
      segment,
      body,
      async (route, webhook, event, sent) => {
        // The own webhook is needed until the end.
        fc.pre(route.method !== 'DELETE' || webhook !== webhookUuid)
        const path = route.path.replace('{webhookUuid}', webhook).replace('{eventUuid}', event)
        await assertAnswered({ method: route.method, path, body: sent })
      },
    ),
    { numRuns: 600 },
  )
  assert.deepEqual(await getWebhook(stranger, foreignWebhook), before)
})

test('fields of the right type and any value are stored as they were, or rejected', async () => {
  const path = `/webhooks/${webhookUuid}`
  await fc.assert(
    fc.asyncProperty(text, async (description) => {
      const status = await assertAnswered({ method: 'PATCH', path, body: JSON.stringify({ description }) })
      if (status === 200)
        assert.equal((await getWebhook(client, webhookUuid))['description'], description.toWellFormed())
      else assert.ok(status === 400 || status === 413, String(status))
    }),
    { numRuns: 100 },
  )
})

test('for any parameters and headers, lists of events and deliveries are answered without a fault', async () => {
  const names = [
    'after',
    'types',
    'deviceUuid',
    'spaceUuid',
    'limit',
    'state',
    'type',
    'from',
    'cursor',
    'siteUuid',
  ]
  const value = fc.oneof(
    number.map(String),
    time,
    uuid,
    fc.constantFrom(
      '0',
      '1e3',
      '0x10',
      '-0',
      'NaN',
      '9'.repeat(400),
      'command.updated',
      'waiting',
      ','.repeat(500),
    ),
    text.map((each) => each.slice(0, 2_000).toWellFormed()),
  )
  const header = fc.record(
    {
      prefer: fc.constantFrom('wait', 'wait=-1', 'wait=1e9', 'wait=;,=', 'wait=1, wait=2', 'x'.repeat(4_000)),
      'last-event-id': fc.constantFrom('', '-1', '1.5', 'NaN', '9'.repeat(400), '18446744073709551616', "'"),
      'if-none-match': fc.constantFrom('*', '"', 'W/', '"a", "b"'),
    },
    { requiredKeys: [] },
  )
  const paths = [
    '/events',
    `/events/${eventUuid}`,
    '/event-types',
    `/webhooks/${webhookUuid}/deliveries`,
    '/webhooks',
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 4 }),
      header,
      async (path, pairs, headers) => {
        const search = new URLSearchParams(pairs).toString()
        await assertAnswered({ method: 'GET', path: `${path}?${search}`, headers })
      },
    ),
    { numRuns: 400 },
  )
})

test('for any number to continue after, a stream is opened or rejected without a fault', async () => {
  for (const after of [
    '',
    '-1',
    '1.5',
    '1e3',
    'NaN',
    '9007199254740993',
    '9'.repeat(400),
    '%00',
    '0&after=1',
  ])
    for (const headers of [{}, { 'last-event-id': decodeURIComponent(after).replace('\0', '0') }]) {
      const accept = { accept: 'text/event-stream' }
      const status = await assertAnswered({
        method: 'GET',
        path: `/events/stream?after=${after}&types=command.updated`,
        headers: { ...accept, ...headers },
      })
      assert.equal(status, 400, after)
    }
  const stream = await openEventStream(client, { query: `?after=${Number.MAX_SAFE_INTEGER}` })
  assert.ok(stream.response.status < 500)
  stream.close()
})

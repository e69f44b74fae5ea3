import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { type BytesAnswer, sendForBytes } from '../support/clients/http-bytes.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { asUuid, parseJson } from '../support/json.ts'
import { fill, loadRoutes } from '../support/fixtures/routes.ts'

const installation = await startInstallation()
after(() => installation.stop())

const house = makeSmallSite()
await applyInventory(installation, house.document)
const client = await addClient(installation, [house.siteUuid])

const ids = {
  deviceuuid: house.trv,
  spaceuuid: house.bedroom,
  commandUuid: randomUUID(),
  eventUuid: randomUUID(),
}
const gets = (await loadRoutes(installation.portico))
  .filter(({ method, hasSite, isStream }) => method === 'GET' && hasSite && !isStream)
  .map(({ path }) => path)

const send = (path: string, headers: Record<string, string> = {}): Promise<BytesAnswer> =>
  sendForBytes(client, path, { headers })

/** Asserts a client error that reveals nothing about the server's internals. */
function assertRefused({ status, headers, bytes }: BytesAnswer, requestedPath: string): void {
  const text = bytes.toString()
  assert.ok(status >= 400 && status < 500, `${requestedPath}: ${status} ${text}`)
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json\b/, requestedPath)
  assert.equal(asUuid((parseJson(text) as { traceId?: unknown }).traceId), headers['x-request-id'])
  assert.doesNotMatch(text, /node_modules|\.ts:|\.js:|SQLITE|at \w+ \(/i)
}

// Input that a parser, a query or a page could mishandle.
const nasty = fc.constantFrom(
  '',
  ' ',
  '.',
  '..',
  '/',
  '\\',
  '\0',
  '%',
  '%00',
  '\r\nX-Forged: 1',
  "' OR '1'='1",
  '"><script>alert(1)</script>',
  '${7*7}',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e309',
  '9007199254740993',
  '\ud83d\ude00',
  '\u202e',
  'a'.repeat(2_000),
)
const text = fc.oneof(nasty, fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
/** Percent-encoded completely, and carelessly. */
const encoded = text.map((value) => encodeURIComponent(value.toWellFormed()))
const careless = fc.stringMatching(/^[!$%'-.0-;=@-~]{0,40}$/)

describe('in the path', () => {
  test('for any text as an identifier, the response is a 4xx problem', async () => {
    const withId = gets.filter((path) => path.includes('{'))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...withId), fc.oneof(encoded, careless), async (path, segment) => {
        // An empty last segment or a dot segment changes the path, which may exist.
        fc.pre(segment !== '' && segment !== '.' && segment !== '..' && !/[?#]/.test(segment))
        const requestedPath = path.replace(/\{\w+\}/, segment)
        assertRefused(await send(fill(requestedPath, ids)), requestedPath)
      }),
      { numRuns: 300 },
    )
  })

  test('for any text as a metric type or a granularity, the response is a 4xx problem', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(encoded, careless), async (segment) => {
        fc.pre(!/[?#]/.test(segment) && segment !== '..')
        for (const path of [
          `/spaces/${house.bedroom}/aggregate/${segment}/hourly`,
          `/spaces/${house.bedroom}/aggregate/${segment}/daily`,
          `/spaces/${house.bedroom}/aggregate/electricity/${segment}`,
          `/devices/${house.meter}/consumption/${segment}`,
        ]) {
          assertRefused(await send(path), path)
        }
      }),
      { numRuns: 120 },
    )
  })

  test('for any path below the version, there is no 5xx', async () => {
    const segments = fc.array(fc.oneof(encoded, careless, fc.constantFrom('spaces', 'devices', house.trv)), {
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(segments, async (parts) => {
        const path = `/${parts.join('/')}`
        const { status } = await send(path)
        assert.ok(status < 500, `${path}: ${status}`)
      }),
      { numRuns: 200 },
    )
  })
})

describe('in the query', () => {
  const names = [
    'limit',
    'cursor',
    'buildingUuid',
    'spaceUuid',
    'clusterUuid',
    'deviceType',
    'spaceType',
    'metricType',
    'status',
    'fromDateTime',
    'toDateTime',
    'interval',
    'scope',
    'compareTo',
  ]

  test('for any parameter value, the response is a 4xx problem, or the value was valid', async () => {
    const pair = fc.tuple(fc.constantFrom(...names), fc.oneof(encoded, careless))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...gets),
        fc.array(pair, { minLength: 1, maxLength: 4 }),
        async (path, pairs) => {
          const requestedPath = `${fill(path, ids)}?${pairs.map((each) => each.join('=')).join('&')}`
          const answer = await send(requestedPath)
          if (answer.status !== 200) assertRefused(answer, requestedPath)
        },
      ),
      { numRuns: 400 },
    )
  })

  test('an unknown parameter is 400, whatever its name', async () => {
    const name = fc.oneof(
      encoded,
      fc.constantFrom('__proto__', 'limit%00', 'Limit', 'limit[]', 'limit[0]', 'a.b'),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...gets), name, async (path, parameter) => {
        fc.pre(parameter !== '' && !names.includes(parameter))
        const requestedPath = `${fill(path, ids)}?${parameter}=1`
        const answer = await send(requestedPath)
        assert.equal(answer.status, 400, `${requestedPath}: ${answer.bytes.toString()}`)
        assertRefused(answer, requestedPath)
      }),
      { numRuns: 200 },
    )
  })

  test('a parameter that is repeated, nested or a list is a 4xx problem', async () => {
    for (const path of gets) {
      for (const search of [
        'limit=1&limit=2',
        'limit[]=1',
        'fromDateTime=2026-01-05&fromDateTime=2026-01-06',
        'interval=PT1H&interval=P1D',
        'cursor=a&cursor=b',
        'metricType=gas&metricType=water',
        'scope[constructor]=x',
      ]) {
        const requestedPath = `${fill(path, ids)}?${search}`
        assertRefused(await send(requestedPath), requestedPath)
      }
    }
  })

  test('an incomplete percent-encoding is never a 5xx', async () => {
    for (const value of ['%', '%2', '%zz', '%ff', '%c0%ae', '%E0%A4%A', '%u0041']) {
      for (const path of gets) {
        const requestedPath = `${fill(path, ids)}?limit=${value}&cursor=${value}`
        assertRefused(await send(requestedPath), requestedPath)
      }
    }
  })
})

describe('in the headers', () => {
  const visible = fc.stringMatching(/^[ -~]{0,200}$/).map((value) => value.trim())

  test('for any SiteId, the response is 400 or 403', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(visible, fc.uuid()), async (siteid) => {
        const answer = await send('/spaces', { siteid })
        assertRefused(answer, siteid)
        assert.ok(answer.status === 400 || answer.status === 403, `${siteid}: ${answer.status}`)
      }),
      { numRuns: 150 },
    )
  })

  test('for any other headers, there is no 5xx', async () => {
    const name = fc.constantFrom('accept', 'accept-encoding', 'if-none-match', 'if-modified-since', 'range')
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...gets), name, visible, async (path, header, value) => {
        const requestedPath = fill(path, ids)
        const answer = await send(requestedPath, { [header]: value })
        assert.ok(answer.status < 500, `${requestedPath} ${header}: ${value}: ${answer.status}`)
        if (answer.status >= 400) assertRefused(answer, `${header}: ${value}`)
      }),
      { numRuns: 300 },
    )
  })
})

test('the server is still running afterwards', async () => {
  assert.equal((await client.list('/spaces')).length, house.document.spaces.length)
})

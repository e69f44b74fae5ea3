import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ApiCall } from '../../src/api.ts'
import { toCode } from '../../src/show-call.ts'

const ORIGIN = 'https://portico.example'
const SITE = '5f0c1d0e-6a57-4c1b-9b0e-2f6f3f1c7a10'
const SPACE = '56488057-f6e8-5358-9d8b-6229eb41867e'

const get = (path: string, details: Partial<ApiCall> = {}): ApiCall => ({
  api: 'v2',
  method: 'GET',
  path,
  ...details,
})

const lines = (...texts: string[]): string => texts.join('\n')

describe('a call of the account', () => {
  const code = toCode(get('/account'), ORIGIN)

  test('as curl', () => {
    assert.equal(
      code.curl,
      lines(`curl 'https://portico.example/v2/account' \\`, '  -H "Authorization: Bearer $TOKEN"'),
    )
  })

  test('as TypeScript', () => {
    assert.equal(
      code.typescript,
      lines(
        "import { Portico } from '@portico/sdk'",
        '',
        'const portico = new Portico()',
        '',
        'const answer = await portico.account()',
      ),
    )
  })

  test('as Python', () => {
    assert.equal(
      code.python,
      lines('from portico import Portico', '', 'portico = Portico()', '', 'answer = portico.account()'),
    )
  })
})

describe('a list', () => {
  test('with a limit is its first page in every language', () => {
    const { curl, typescript, python } = toCode(
      get('/spaces', { siteId: SITE, query: { search: "O'Brien & co", limit: 200, floorNumber: undefined } }),
      ORIGIN,
    )
    assert.match(curl, /\/v2\/spaces\?search=O'\\''Brien%20%26%20co&limit=200'/)
    assert.match(curl, new RegExp(`-H 'SiteId: ${SITE}'`))
    assert.match(
      typescript,
      /const \{ data \} = await site\.spaces\.list\(\{ search: 'O\\'Brien & co', limit: 200 \}\)\.page\(\)/,
    )
    assert.match(python, /^from itertools import islice\n\nfrom portico import Portico/)
    assert.match(python, /answer = list\(islice\(site\.spaces\(search="O'Brien & co", limit=200\), 200\)\)/)
  })

  test('without a limit is the whole list', () => {
    const { typescript, python } = toCode(get('/devices', { siteId: SITE }), ORIGIN)
    assert.match(typescript, /const answer = await site\.devices\.list\(\)\.toArray\(\)/)
    assert.match(python, /answer = list\(site\.devices\(\)\)/)
    assert.doesNotMatch(python, /islice/)
  })
})

describe('a series', () => {
  const path = `/spaces/${SPACE}/aggregate/electricity/daily`

  test('has its identifiers and its range under the names of each client', () => {
    const query = { fromDateTime: '2026-11-01', toDateTime: '2026-11-08' }
    const { curl, typescript, python } = toCode(get(path, { siteId: SITE, query }), ORIGIN)
    assert.match(curl, /daily\?fromDateTime=2026-11-01&toDateTime=2026-11-08'/)
    assert.ok(
      typescript.endsWith(
        lines(
          `const site = portico.site('${SITE}')`,
          '',
          `const answer = await site.spaces.daily('${SPACE}', 'electricity', {`,
          "  from: '2026-11-01',",
          "  to: '2026-11-08',",
          '})',
        ),
      ),
      typescript,
    )
    assert.ok(
      python.endsWith(
        lines(
          'answer = site.space_daily(',
          `    "${SPACE}",`,
          '    "electricity",',
          '    fromDateTime="2026-11-01",',
          '    toDateTime="2026-11-08",',
          ')',
        ),
      ),
      python,
    )
  })

  test('without a range has no empty arguments', () => {
    const { typescript, python } = toCode(get(path, { siteId: SITE }), ORIGIN)
    assert.match(typescript, new RegExp(`daily\\('${SPACE}', 'electricity'\\)$`))
    assert.match(python, new RegExp(`space_daily\\("${SPACE}", "electricity"\\)$`))
  })

  test('encodes the offset of a time', () => {
    const { curl } = toCode(get(path, { query: { fromDateTime: '2026-11-16T07:00:00+01:00' } }), ORIGIN)
    assert.match(curl, /fromDateTime=2026-11-16T07:00:00%2B01:00/)
  })

  test('as CSV is a request with its media type', () => {
    const { curl, typescript, python } = toCode(get(path, { siteId: SITE, accept: 'text/csv' }), ORIGIN)
    assert.match(curl, /-H 'Accept: text\/csv'/)
    assert.match(typescript, /headers: \{ accept: 'text\/csv' \}/)
    assert.match(python, /headers=\{"Accept": "text\/csv"\},\n\)\.text$/)
  })
})

test('long lists of identifiers are one per line, with plain commas in the address', () => {
  const spaceUuids = Array.from({ length: 3 }, (_, index) => SPACE.replace(/^./, String(index)))
  const { curl, typescript, python } = toCode(
    get('/aggregate/hourly', { siteId: SITE, query: { metricTypes: ['electricity'], spaceUuids } }),
    ORIGIN,
  )
  assert.match(curl, new RegExp(`spaceUuids=${spaceUuids.join(',')}'`))
  assert.ok(
    typescript.endsWith(
      lines(
        'const answer = await site.aggregate.hourly({',
        "  metricTypes: ['electricity'],",
        '  spaceUuids: [',
        ...spaceUuids.map((uuid) => `    '${uuid}',`),
        '  ],',
        '})',
      ),
    ),
    typescript,
  )
  assert.ok(
    python.endsWith(
      lines(
        'answer = site.aggregate_hourly(',
        '    metricTypes=["electricity"],',
        '    spaceUuids=[',
        ...spaceUuids.map((uuid) => `        "${uuid}",`),
        '    ],',
        ')',
      ),
    ),
    python,
  )
})

test('a call that the clients have no method for is a request', () => {
  const { typescript, python } = toCode(
    get('/migration/usage', { siteId: SITE, query: { limit: 5 } }),
    ORIGIN,
  )
  assert.match(typescript, /portico\.request\('GET', '\/migration\/usage', \{/)
  assert.match(python, /portico\.request\(\n {4}"GET",\n {4}"\/migration\/usage",/)
  assert.match(python, /\)\.json\(\)$/)
})

test('a body is data in every language, and a schedule can be repeated', () => {
  const body = { type: 'override', target: { temperature: 21.5 }, permanent: true, note: "it's" }
  const call = get(`/devices/${SPACE}/schedule`, { method: 'POST', siteId: SITE, body })
  const { curl, typescript, python } = toCode(call, ORIGIN)
  assert.match(curl, /curl -X POST /)
  assert.match(curl, /Idempotency-Key: \$\(uuidgen\)/)
  assert.ok(curl.includes(`"note":"it'\\''s"}'`), curl)
  assert.match(typescript, /note: 'it\\'s'/)
  assert.match(python, /"permanent": True/)
})

test('a call of the operator uses the client of the operator', () => {
  const call: ApiCall = { api: 'operator', method: 'DELETE', path: '/sessions/x' }
  const { curl, typescript, python } = toCode(call, ORIGIN)
  assert.match(curl, /curl -X DELETE 'https:\/\/portico\.example\/operator\/sessions\/x'/)
  assert.match(typescript, /await operator\.request\('DELETE', '\/sessions\/x'\)$/)
  assert.match(python, /^import os\n/)
  assert.match(python, /operator\.request\("DELETE", "\/sessions\/x"\)\.json\(\)$/)
})

test('no code ever contains a token', () => {
  for (const code of Object.values(toCode(get('/account', { siteId: SITE }), ORIGIN)))
    assert.doesNotMatch(code, /eyJ/)
})

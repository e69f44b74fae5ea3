import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { asObject, asString, parseJson } from '../support/json.ts'
import { type Portico, startPortico } from '../support/servers/portico.ts'
import { type Answer, api } from '../support/clients/requests.ts'
import { assertStrictPolicy, parsePolicy } from './policy.ts'

let portico: Portico
let page: Answer
before(async () => {
  portico = await startPortico({ demo: false, publicUrl: 'https://api.example.test' })
  page = await api(portico, '/reference')
})
after(() => portico.stop())

/** The API reference has its own text on tokens and on default request values. */
const listOperations = (paths: unknown): unknown => {
  const own = ['security', 'example', 'examples']
  return parseJson(JSON.stringify(paths, (key, value: unknown) => (own.includes(key) ? undefined : value)))
}

const scriptPath = (): string => /<script [^>]*src="([^"]+)"/.exec(page.text)?.[1] ?? ''

describe('GET /reference', () => {
  test('returns 200 with a page', () => {
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  })

  test('runs only its own scripts, and connects to this server only', () => {
    assertStrictPolicy(page)
    assert.deepEqual(parsePolicy(page).get('connect-src'), ["'self'"])
  })

  test('introduces the identifiers in the examples as placeholders, since this is not the demo', async () => {
    for (const name of ['v1', 'v2', 'operator']) {
      const { text } = await api(portico, `/reference/documents/${name}.json`)
      assert.ok(text.includes('Replace the identifiers in the examples with your own.'), name)
      assert.ok(!text.includes('those of the demo'), name)
    }
  })

  test('has a new script nonce each time', async () => {
    const again = await api(portico, '/reference')
    assert.notDeepEqual(parsePolicy(page).get('script-src'), parsePolicy(again).get('script-src'))
    assert.equal(page.headers.get('cache-control'), 'no-store')
  })
})

describe('the script of the API reference', () => {
  test('is cached forever by browsers: its URL changes with its content', async () => {
    const { status, headers } = await api(portico, scriptPath())
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(headers.get('vary'), 'accept-encoding')
  })

  test('is encoded as the caller accepts, with an ETag for each encoding', async () => {
    const tags = new Set<string>()
    for (const [accepted, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['identity', null],
    ] as const) {
      const { status, headers, text } = await api(portico, scriptPath(), {
        headers: { 'accept-encoding': accepted },
      })
      assert.equal(status, 200)
      assert.equal(headers.get('content-encoding'), coding)
      assert.ok(text.includes('createApiReference'))
      tags.add(headers.get('etag') ?? '')
    }
    assert.equal(tags.size, 3)
  })

  test('is not sent again to a client that has it', async () => {
    const { headers } = await api(portico, scriptPath())
    const again = await api(portico, scriptPath(), {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    })
    assert.equal(again.status, 304)
    assert.equal(again.text, '')
  })

  test('has no other URL', async () => {
    assert.equal((await api(portico, '/reference/script/another.js')).status, 404)
  })
})

describe('a document for the API reference', () => {
  for (const [name, server] of [
    ['v2', '/v2'],
    ['operator', '/operator'],
  ] as const) {
    test(`${name} uses a bearer token, has no secret, and names the origin of the page as its server`, async () => {
      const { status, json, text } = await api(portico, `/reference/documents/${name}.json`)
      assert.equal(status, 200)
      const schemes = asObject(asObject(json['components'])['securitySchemes'])
      assert.deepEqual(
        Object.values(schemes).map((scheme) => [asObject(scheme)['type'], asObject(scheme)['scheme']]),
        [['http', 'bearer']],
      )
      assert.ok(!text.includes('clientCredentials') && !text.includes('tokenUrl'))
      assert.ok(!text.includes('machineCredentials'), 'no operation names the scheme that is gone')
      assert.deepEqual(json['servers'], [{ url: server }])
    })

    test(`${name} has the operations of the published document`, async () => {
      const shown = (await api(portico, `/reference/documents/${name}.json`)).json
      const published = (await api(portico, `/openapi/${name}.json`)).json
      assert.deepEqual(listOperations(shown['paths']), listOperations(published['paths']))
      assert.ok(asString(asObject(shown['info'])['description']).includes(`/openapi/${name}.json`))
    })
  }

  test('exists only for a surface of this server', async () => {
    for (const name of ['v3.json', 'v2', 'constructor.json', '.json']) {
      assert.equal((await api(portico, `/reference/documents/${name}`)).status, 404, name)
    }
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { api } from '../support/clients/requests.ts'
import { asString } from '../support/json.ts'
import { type Portico, startPortico } from '../support/servers/portico.ts'
import { assertStrictPolicy } from './policy.ts'
import { toText } from './snippets.ts'

const contact = 'Ada Byron <ada@example.test>'
/** What browsers send when an address is opened. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const PAGES = ['/nope', '/docs/nope', '/errors/nope', '/openapi/v9.json', '/auth/error?code=1', '/a/b/c?d=e']
const API_PATHS = ['/v1/nope', '/v2/nope', '/operator/nope', '/auth/nope', '/auth/oauth2/nope']

let portico: Portico
before(async () => {
  portico = await startPortico({ demo: false, args: ['--support-contact', contact] })
})
after(() => portico.stop())

describe('an unknown address', () => {
  for (const path of PAGES)
    test(`${path} is a page with navigation for a browser`, async () => {
      const answer = await api(portico, path, { headers: { accept: BROWSER } })
      assert.equal(answer.status, 404)
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(answer.headers.get('vary'), 'accept')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assertStrictPolicy(answer)
      for (const target of ['/', '/docs', '/reference', '/errors'])
        assert.ok(answer.text.includes(`<a href="${target}"`), target)
      const text = toText(answer.text)
      assert.ok(text.includes(`There is no page at ${path.split('?')[0]}.`), text)
      assert.ok(text.includes(contact) && text.includes(answer.headers.get('x-request-id') ?? 'no id'))
    })

  test('is not rendered as markup', async () => {
    const { text } = await api(portico, "/'%3Cb%3E&<b>", { headers: { accept: BROWSER } })
    assert.ok(text.includes('<code>/&#39;%3Cb%3E&amp;'))
    assert.ok(!text.includes('<b>'))
  })

  for (const accept of ['*/*', 'application/json', 'application/problem+json, text/html;q=0.5'])
    test(`is a problem for a program that accepts ${accept}`, async () => {
      for (const path of PAGES) {
        const answer = await api(portico, path, { headers: { accept } })
        assert.equal(answer.status, 404, path)
        assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, path)
        assert.equal(answer.headers.get('vary'), 'accept')
      }
    })

  test('is a problem for every method but GET', async () => {
    const answer = await api(portico, '/nope', { method: 'POST', headers: { accept: BROWSER } })
    assert.equal(answer.json['status'], 404)
  })

  for (const path of API_PATHS)
    test(`${path} of an API is never a page`, async () => {
      const answer = await api(portico, path, { headers: { accept: BROWSER } })
      assert.ok([401, 404].includes(answer.status))
      const body = answer.json
      assert.equal(asString(body['traceId']), answer.headers.get('x-request-id'))
    })
})

test('an invalid address is a page for a browser', async () => {
  const answer = await api(portico, '/%zz', { headers: { accept: BROWSER } })
  assert.equal(answer.status, 400)
  assert.match(toText(answer.text), /The path is not a valid URL path\./)
})

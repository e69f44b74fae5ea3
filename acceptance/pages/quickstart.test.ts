import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Portico, startPortico } from '../support/servers/portico.ts'
import { type Answer, api } from '../support/clients/requests.ts'
import { assertStrictPolicy, parsePolicy } from './policy.ts'
import { toText } from './snippets.ts'

const publicUrl = 'https://api.example.test'
const contact = 'Ada Byron <ada@example.test>'

let portico: Portico
let page: Answer
before(async () => {
  portico = await startPortico({ demo: false, publicUrl, args: ['--support-contact', contact] })
  page = await api(portico, '/')
})
after(() => portico.stop())

describe('GET /', () => {
  test('returns 200 with a page', () => {
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  })

  test('loads nothing that is not part of the page', () => {
    assertStrictPolicy(page)
    const policy = parsePolicy(page)
    for (const source of policy.get('style-src') ?? []) assert.match(source, /^'sha256-/)
    assert.equal(policy.has('connect-src'), false)
    assert.doesNotMatch(page.text, /<(script|img|link|iframe)[^>]+(src|href)="(?!data:)/)
  })

  test('shows the addresses of this installation', () => {
    for (const path of ['/auth', '/auth/oauth2/v2.0/token', '/v2', '/operator']) {
      assert.ok(page.text.includes(`<code>${publicUrl}${path}</code>`), path)
    }
    const account = toText(page.text)
    assert.ok(
      account.includes(
        `export PORTICO_AUTH_URL=${publicUrl}/auth\nexport PORTICO_BASE_URL=${publicUrl}/v2\n`,
      ),
    )
  })

  test('explains where to get credentials and help', () => {
    assert.equal(toText(page.text).split(contact).length, 3)
    assert.ok(!page.text.includes('demo.env'), 'this is not the demo')
  })

  test('links only to pages of this server, and every link works', async () => {
    const links = [...page.text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href)
    for (const wanted of [
      '/docs',
      '/reference',
      '/openapi/v2.json',
      '/openapi/operator.json',
      '/errors',
      '/deprecations',
      '/changelog',
    ]) {
      assert.ok(links.includes(wanted), wanted)
    }
    for (const link of new Set(links)) assert.equal((await api(portico, link)).status, 200, link)
  })
})

test('with an external issuer, the built-in token endpoint is not shown', async () => {
  const env = {
    BUILTIN_ISSUER: 'off',
    OUTSIDE_ISSUER: 'https://issuer.example.test',
    OUTSIDE_ISSUER_JWKS: 'https://issuer.example.test/keys',
    OUTSIDE_ISSUER_AUDIENCE: 'api://portico',
  }
  await using other = await startPortico({ demo: false, publicUrl, env })
  const { status, text } = await api(other, '/')
  assert.equal(status, 200)
  assert.ok(!text.includes('oauth2/v2.0/token'))
  assert.ok(!text.includes('CLIENT_SECRET'))
  assert.ok(text.includes(`${publicUrl}/v2`))
})

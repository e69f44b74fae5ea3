import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { issuerErrors } from '../support/oracles/issuer-error.ts'
import { asString } from '../support/json.ts'
import { startPortico } from '../support/servers/portico.ts'
import { type Answer, goodParameters, requestToken, send, without } from '../support/clients/requests.ts'

const contact = 'portico-desk@example.test'
const portico = await startPortico({ env: { RATE_LIMIT: 'off', SUPPORT_CONTACT: contact } })
after(() => portico.stop())

const good = goodParameters(portico.demoEnv.CLIENT_ID, portico.demoEnv.CLIENT_SECRET)

// Text that the page must contain for each case: the remedies of the specification where it has one.
const cases: [code: string, remedy: RegExp, ask: () => Promise<Answer>][] = [
  [
    '700016',
    /client_id issued at onboarding/i,
    () => requestToken(portico, { ...good, client_id: randomUUID() }),
  ],
  ['7000215', /actual secret value/i, () => requestToken(portico, { ...good, client_secret: 'wrong' })],
  ['7000216', /client_secret/, () => requestToken(portico, without(good, 'client_secret'))],
  ['900144', /parameter/i, () => requestToken(portico, {})],
  ['900561', /POST/, () => requestToken(portico, undefined, { method: 'GET' })],
  ['9002313', /form|parameter|body/i, () => requestToken(portico, undefined, { rawBody: 'x=%' })],
  ['1002012', /api:\/\/<client_id>\/\.default/, () => requestToken(portico, { ...good, scope: 'openid' })],
  ['70011', /api:\/\/<client_id>\/\.default/, () => requestToken(portico, { ...good, scope: 'a b' })],
  [
    '500011',
    /api:\/\/<client_id>\/\.default/,
    () => requestToken(portico, { ...good, scope: `api://${randomUUID()}/.default` }),
  ],
]

for (const [code, remedy, ask] of cases) {
  describe(`the page that error_uri of ${code} links to`, () => {
    let page: Answer
    let words: string
    before(async () => {
      const link = asString((await ask()).json['error_uri'])
      assert.ok(link.startsWith(`${portico.url}/`), `${link} is an address of this server`)
      page = await send(link)
      words = toText(page.text)
    })

    test('is served as HTML', () => {
      assert.equal(page.status, 200)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html\b/)
      assert.ok(words.includes(code), words)
    })

    test('explains what to do', () => {
      assert.match(words, remedy)
    })

    test('lists the four troubleshooting steps in order', () => {
      const steps = [/credentials/i, /required parameters/i, /api:\/\/<client_id>\/\.default/, /contact/i]
      const order = new RegExp(steps.map((step) => step.source).join('[^]*'), 'i')
      assert.match(words, order)
    })

    test('shows the configured technical contact', () => {
      assert.ok(words.includes(contact), words)
    })

    test('runs no script', () => {
      assert.doesNotMatch(page.text, /<script/i)
    })
  })
}

test('every other code of the issuer has a page, too', async () => {
  const link = asString((await requestToken(portico, {})).json['error_uri'])
  for (const { code } of [issuerErrors.disabledClient, issuerErrors.expiredSecret, issuerErrors.throttled]) {
    const page = await send(link.replace('900144', String(code)))
    assert.equal(page.status, 200, String(code))
    assert.ok(toText(page.text).includes(contact))
  }
})

test('the error page of an unknown code is 404', async () => {
  const link = asString((await requestToken(portico, {})).json['error_uri'])
  const answer = await send(link.replace('900144', '123456789'))
  assert.equal(answer.status, 404, answer.text)
})

/** The visible text of a page. */
function toText(html: string): string {
  return html
    .replaceAll(/<style[^]*?<\/style>/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
}

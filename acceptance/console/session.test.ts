import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  consoleToken,
  postFromPage,
  postSignIn,
  readCookie,
  requestConsoleToken,
  signIn,
} from '../support/clients/console.ts'
import { type BytesAnswer, requestBytes } from '../support/clients/http-bytes.ts'
import { addPartner, addSecret, changePartner, type NewPartner } from '../support/clients/operator.ts'
import { type Answer, api, send } from '../support/clients/requests.ts'
import { eventually } from '../support/eventually.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { assertProblem, assertUnauthorized } from '../support/oracles/problem.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico, operator } = await shareDemo()
const { origin } = portico

const newPartner = (body: JsonObject = {}): Promise<NewPartner> => addPartner(portico, operator, body)
const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(`${origin}${path}`, { headers })

/** The claims of a token. */
const decode = (token: string): JsonObject =>
  asObject(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))

/** The audit entries about a partner, newest first. */
async function auditOf({ partnerUuid }: NewPartner): Promise<JsonObject[]> {
  const { json } = await api(portico, '/operator/audit?limit=1000', { token: operator })
  return asArray(json['data'])
    .map(asObject)
    .filter(({ target }) => target === partnerUuid)
}

describe('signing in', () => {
  test('sets a cookie that scripts cannot read and other sites cannot send', async () => {
    const answer = await postSignIn(portico, await newPartner())
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.get('location'), '/console')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const [cookie] = answer.headers.getSetCookie()
    assert.match(cookie ?? '', /^__Host-portico=[\w-]{43}; HttpOnly; Secure; SameSite=Strict; Path=\/$/)
  })

  test('opens a session whose token works on the API', async () => {
    const partner = await newPartner({ name: 'Example Energy', roles: ['Devices.Read', 'Spaces.Read'] })
    const cookie = await signIn(portico, partner)
    const answer = await requestConsoleToken(portico, cookie)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const { accessToken, ...rest } = answer.json
    assert.deepEqual(rest, {
      expiresIn: 600,
      roles: ['Devices.Read', 'Spaces.Read'],
      partner: { partnerUuid: partner.partnerUuid, name: 'Example Energy', clientId: partner.clientId },
    })
    const token = asString(accessToken)
    assert.equal(decode(token)['use'], 'console')
    assert.ok(!JSON.stringify(decode(token)).includes(cookie.split('=')[1] ?? ''), 'the cookie is secret')
    assert.equal((await api(portico, '/v2/sites', { token })).status, 200)
    assert.equal((await api(portico, '/operator/partners', { token })).status, 403)
  })

  test('is recorded in the audit log, and so is signing out', async () => {
    const partner = await newPartner()
    const cookie = await signIn(portico, partner)
    await postFromPage(portico, '/console/session/end', { cookie })
    const [out, signedIn] = await auditOf(partner)
    assert.equal(out?.['action'], 'console.signed-out')
    assert.equal(signedIn?.['action'], 'console.signed-in')
    for (const entry of [out, signedIn]) {
      assert.match(asString(asObject(entry['detail'])['address']), /^(127\.0\.0\.1|::ffff:127\.0\.0\.1|::1)$/)
      assert.equal(asObject(entry['actor'])['id'], partner.partnerUuid)
    }
  })

  test('counts as a use of the secret', async () => {
    const partner = await newPartner()
    await signIn(portico, partner)
    await eventually(async () => {
      const { json } = await api(portico, `/operator/partners/${partner.partnerUuid}`, { token: operator })
      assert.notEqual(asObject(asArray(json['secrets'])[0])['lastUsedAt'], null)
    })
  })

  test('with wrong credentials leads back to the form without saying what is wrong', async () => {
    const partner = await newPartner()
    const disabled = await newPartner()
    await changePartner(portico, operator, disabled.partnerUuid, { enabled: false })
    const wrong = [
      { ...partner, clientSecret: 'wrong' },
      { ...partner, clientSecret: '' },
      { ...partner, clientId: partner.partnerUuid },
      { clientId: '', clientSecret: '' },
      disabled,
    ]
    for (const credentials of wrong) {
      const answer = await postSignIn(portico, credentials)
      assert.deepEqual([answer.status, answer.headers.getSetCookie()], [303, []])
      const location = answer.headers.get('location') ?? ''
      assert.equal(location, '/console/sign-in?flash=wrong')
      const page = await get(location)
      assert.match(page.text, /role="alert">The client ID or the secret is wrong\./)
      assert.match(page.text, /<form method="post" action="\/console\/session">/)
    }
  })

  test('from a page of another site is refused', async () => {
    const partner = await newPartner()
    for (const other of [
      'https://evil.example',
      'null',
      `${origin}.evil.example`,
      origin.replace(/\d+$/, '1'),
    ]) {
      const answer = await postSignIn(portico, partner, { origin: other })
      assertProblem(portico, answer, 403)
      assert.deepEqual(answer.headers.getSetCookie(), [])
    }
    const without = await send(`${origin}/console/session`, { method: 'POST', body: new URLSearchParams() })
    assertProblem(portico, without, 403)
  })

  test('returns to the page that was requested, and never to another site', async () => {
    const partner = await newPartner()
    const page = await get('/console/operator/partners?enabled=true&x=%22%3E')
    const next = /name="next" value="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    assert.equal(next, '/console/operator/partners?enabled=true&x=%22%3E')
    assert.equal((await postSignIn(portico, { ...partner, next })).headers.get('location'), next)
    const wrong = await postSignIn(portico, { ...partner, clientSecret: 'wrong', next })
    const again = await get(wrong.headers.get('location') ?? '')
    assert.ok(again.text.includes(`value="${next.replaceAll('&', '&amp;')}"`))
    const elsewhere = [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/console/../../evil',
      '/v2',
    ]
    for (const address of elsewhere) {
      const answer = await postSignIn(portico, { ...partner, next: address })
      assert.equal(answer.headers.get('location'), '/console', address)
      const form = await get(`/console/sign-in?next=${encodeURIComponent(address)}`)
      assert.match(form.text, /name="next" value="\/console"/, address)
    }
  })
})

describe('the sign-in page', () => {
  test('shows no text of its address', async () => {
    for (const flash of [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      'toString',
      '__proto__',
    ]) {
      const { status, text } = await get(`/console/sign-in?flash=${encodeURIComponent(flash)}`)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /alert|onerror|class="flash/)
    }
  })

  test('needs no script and nothing of other hosts', async () => {
    const { text } = await get('/console')
    assert.doesNotMatch(text, /<script|https?:\/\/(?!www\.w3\.org)/)
    const style = /<link rel="stylesheet" href="([^"]+)"/.exec(text)?.[1] ?? ''
    const sheet = await get(style)
    assert.equal(sheet.status, 200)
    assert.match(sheet.headers.get('content-type') ?? '', /^text\/css/)
    assert.match(sheet.headers.get('cache-control') ?? '', /immutable/)
  })
})

describe('a session', () => {
  /** Whether the cookie and the token of a session still work. */
  const isAlive = async (cookie: string, token: string): Promise<boolean> => {
    const renewed = await requestConsoleToken(portico, cookie)
    const used = await api(portico, '/v2/sites', { token })
    assert.ok(
      (renewed.status === 200) === (used.status === 200),
      `the session answers ${renewed.status} and its token ${used.status}`,
    )
    return renewed.status === 200
  }

  const open = async (partner: NewPartner): Promise<[cookie: string, token: string]> => {
    const cookie = await signIn(portico, partner)
    return [cookie, await consoleToken(portico, cookie)]
  }

  const assertEnds = (cookie: string, token: string): Promise<void> =>
    eventually(async () => assert.equal(await isAlive(cookie, token), false))

  test('ends with signing out, together with its token', async () => {
    const [cookie, token] = await open(await newPartner())
    assert.equal(await isAlive(cookie, token), true)
    const answer = await postFromPage(portico, '/console/session/end', { cookie })
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.get('location'), '/console/sign-in?flash=signed-out')
    const [cleared] = answer.headers.getSetCookie()
    assert.match(cleared ?? '', /^__Host-portico=; Max-Age=0; HttpOnly; Secure; SameSite=Strict; Path=\/$/)
    assert.equal(await isAlive(cookie, token), false)
    const again = await postFromPage(portico, '/console/session/end', { cookie })
    assert.equal(again.status, 303)
  })

  test('ends with its secret, and not with another one', async () => {
    const partner = await newPartner()
    const second = await addSecret(portico, operator, partner.partnerUuid)
    const [cookie, token] = await open(partner)
    const [otherCookie, otherToken] = await open({ ...partner, clientSecret: second.clientSecret })
    const path = `/operator/partners/${partner.partnerUuid}/secrets/${partner.secretId}`
    assert.equal((await api(portico, path, { method: 'DELETE', token: operator })).status, 204)
    await assertEnds(cookie, token)
    assert.equal(await isAlive(otherCookie, otherToken), true)
  })

  test('ends when its partner is disabled, and does not come back', async () => {
    const partner = await newPartner()
    const [cookie, token] = await open(partner)
    await changePartner(portico, operator, partner.partnerUuid, { enabled: false })
    await assertEnds(cookie, token)
    await changePartner(portico, operator, partner.partnerUuid, { enabled: true })
    assert.equal(await isAlive(cookie, token), false)
    await open(partner)
  })

  test('that has ended shows the form, which says so, and clears the cookie', async () => {
    const cookie = await signIn(portico, await newPartner())
    await postFromPage(portico, '/console/session/end', { cookie })
    const page = await get('/console/operator', { cookie })
    assert.match(page.text, /Your session has ended/)
    assert.match(page.headers.getSetCookie()[0] ?? '', /^__Host-portico=; Max-Age=0/)
    assertUnauthorized(portico, await requestConsoleToken(portico, cookie), 'TokenExpired')
  })

  test('is the oldest of 21 that makes room', async () => {
    const partner = await newPartner()
    const cookies: string[] = []
    for (let count = 0; count < 21; count += 1) cookies.push(await signIn(portico, partner))
    const statuses: number[] = []
    for (const cookie of cookies) statuses.push((await requestConsoleToken(portico, cookie)).status)
    assert.deepEqual(statuses, [401, ...Array.from({ length: 20 }, () => 200)])
  })

  test('is not read by the API, and a token is not a session', async () => {
    const [cookie, token] = await open(await newPartner())
    assertUnauthorized(portico, await api(portico, '/v2/sites', { headers: { cookie } }), 'TokenNotPresent')
    const used = await requestConsoleToken(portico, `__Host-portico=${token}`)
    assertUnauthorized(portico, used, 'TokenNotPresent')
  })

  test('gives no token to pages of other sites, and is not ended by them', async () => {
    const cookie = await signIn(portico, await newPartner())
    for (const path of ['/console/token', '/console/session/end'] as const) {
      for (const other of ['https://evil.example', 'null'])
        assertProblem(portico, await postFromPage(portico, path, { cookie, origin: other }), 403)
      assert.notEqual(
        (await get(path, { cookie })).headers.get('content-type'),
        'application/json; charset=utf-8',
      )
    }
    assert.equal((await requestConsoleToken(portico, cookie)).status, 200)
  })

  test('accepts the public address as the origin of its page', async () => {
    const answer = await postSignIn(portico, await newPartner(), { origin: portico.url })
    const cookie = readCookie(answer)
    const token = await postFromPage(portico, '/console/token', { cookie, origin: portico.url })
    assert.equal(token.status, 200)
  })

  test('that does not exist gets no token', async () => {
    for (const cookie of ['', '__Host-portico=', `__Host-portico=${'x'.repeat(42)}`, 'portico=x'])
      assertUnauthorized(portico, await requestConsoleToken(portico, cookie), 'TokenNotPresent')
    assertUnauthorized(
      portico,
      await requestConsoleToken(portico, `__Host-portico=${'x'.repeat(43)}`),
      'TokenExpired',
    )
  })
})

describe('the page', () => {
  /** Headers that a browser sends when the user opens an address. */
  const OPENED = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }

  const open = (headers: Record<string, string>): Promise<BytesAnswer> =>
    requestBytes(portico, '/console', { headers })

  /** The data that the page contains for its script. */
  const readData = ({ bytes }: BytesAnswer): JsonObject | undefined => {
    const found = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(
      bytes.toString(),
    )?.[1]
    return found === undefined ? undefined : asObject(JSON.parse(found))
  }

  test('that the user opens contains a token and the account, and is not stored', async () => {
    const name = 'Rook </script><script>alert(1)'
    const partner = await newPartner({ name, roles: ['Spaces.Read'] })
    const cookie = await signIn(portico, partner)
    const own = await consoleToken(portico, cookie)
    // The use of the secret is stored some seconds later.
    await eventually(async () => {
      const { json } = await api(portico, '/v2/account', { token: own })
      assert.notEqual(asObject(asArray(json['secrets'])[0])['lastUsedAt'], null)
    })
    const page = await open({ cookie, ...OPENED })
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.equal(page.headers['cross-origin-resource-policy'], 'same-origin')
    const data = readData(page)
    const session = asObject(data?.['session'])
    const token = asString(session['accessToken'])
    assert.equal(decode(token)['use'], 'console')
    assert.equal(session['expiresIn'], 600)
    const account = await api(portico, '/v2/account', { token })
    assert.equal(account.status, 200)
    assert.deepEqual(data?.['account'], account.json)
    assert.equal(asObject(data['account'])['name'], name)
  })

  test('of an operator contains no account', async () => {
    const cookie = await signIn(portico, await newPartner({ roles: ['Operator'], sites: [] }))
    const data = readData(await open({ cookie, ...OPENED }))
    assert.deepEqual(asObject(data?.['session'])['roles'], ['Operator'])
    assert.equal(data?.['account'], null)
  })

  test('contains no token if a script, a frame or another program requests it', async () => {
    const cookie = await signIn(portico, await newPartner())
    const others = [
      {},
      { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script', 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' },
    ]
    for (const headers of others) {
      const page = await open({ cookie, ...headers })
      assert.match(page.bytes.toString(), /<div id="app">/)
      assert.equal(readData(page), undefined, JSON.stringify(headers))
      assert.ok(!page.bytes.includes('accessToken'))
    }
  })

  test('contains nothing without a live session', async () => {
    const cookie = `__Host-portico=${'x'.repeat(43)}`
    assert.equal(readData(await open({ cookie, ...OPENED })), undefined)
  })
})

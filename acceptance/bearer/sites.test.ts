import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asArray, asObject, asString, asUuid } from '../support/json.ts'
import { addPartner, changePartner } from '../support/clients/operator.ts'
import { assertNoCors, assertProblem, assertUnauthorized } from '../support/oracles/problem.ts'
import { api, demoToken, operatorToken, send, tokenFor } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const token = await demoToken(portico)

describe('200', () => {
  test('GET {base_url}/sites with a token and nothing else lists the sites of the partner', async () => {
    const answer = await send(`${portico.demoEnv.BASE_URL}/sites`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json\b/)
    assert.equal(answer.headers.get('api-version'), '2')
    asUuid(answer.headers.get('x-request-id'))
    assertNoCors(answer.headers)
    assert.deepEqual(Object.keys(answer.json).toSorted(), ['data', 'pagination'])
    assert.deepEqual(answer.json['pagination'], { nextCursor: null, hasMore: false })
    const sites = asArray(answer.json['data']).map(asObject)
    assert.equal(sites.length, 1)
    const [site = {}] = sites
    assert.deepEqual(Object.keys(site).toSorted(), ['sandbox', 'siteName', 'siteUuid', 'timeZone'])
    assert.equal(site['siteUuid'], portico.demoEnv.SITE_ID)
    assert.notEqual(asString(site['siteName']), '')
    assert.equal(site['sandbox'], true)
    // Throws when the zone is unknown.
    Temporal.Now.zonedDateTimeISO(asString(site['timeZone']))
  })

  test('the SiteId header may be sent as on every other call', async () => {
    const headers = { SiteId: portico.demoEnv.SITE_ID }
    const answer = await api(portico, '/v2/sites', { token, headers })
    assert.equal(answer.status, 200, answer.text)
  })

  test('the scheme of the Authorization header is case-insensitive', async () => {
    for (const scheme of ['bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${token}` }
      assert.equal((await api(portico, '/v2/sites', { headers })).status, 200, scheme)
    }
  })

  test('grants are read live: a change applies to tokens that are already issued', async () => {
    const operator = await operatorToken(portico)
    const partner = await addPartner(portico, operator)
    const live = await tokenFor(portico, partner.clientId, partner.clientSecret)
    const count = async (): Promise<number> =>
      asArray((await api(portico, '/v2/sites', { token: live })).json['data']).length
    assert.equal(await count(), 1)
    await changePartner(portico, operator, partner.partnerUuid, { sites: [] })
    assert.equal(await count(), 0)
  })
})

describe('400', () => {
  test('an unknown query parameter is rejected, not ignored', async () => {
    assertProblem(portico, await api(portico, '/v2/sites?colour=blue', { token }), 400)
  })
})

describe('401', () => {
  test('without a token the answer is TokenNotPresent, on known and unknown paths alike', async () => {
    const paths = ['/v2/sites', '/v2/nothing', '/v2/devices/x/y/z', '/v2/', '/v2/%00']
    for (const path of paths) {
      const answer = await api(portico, path)
      assertUnauthorized(portico, answer, 'TokenNotPresent')
      assert.equal(answer.headers.get('api-version'), '2')
    }
  })

  test('a wrong method without a token is TokenNotPresent too', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      assertUnauthorized(portico, await api(portico, '/v2/sites', { method }), 'TokenNotPresent')
    }
  })
})

describe('404', () => {
  test('an unknown path with a token is a not-found problem', async () => {
    for (const path of ['/v2/nothing', '/v2/sites/x/y', '/v2/__proto__', '/v2/%22%3E%3Cscript%3E']) {
      const answer = await api(portico, path, { token })
      const body = assertProblem(portico, answer, 404)
      assert.equal(body['type'], `${portico.url}/errors/not-found`)
      assert.equal(answer.headers.get('api-version'), '2')
      assert.ok(!answer.text.includes('<script'), answer.text)
    }
  })

  test('an unknown path outside the API is a problem as well', async () => {
    for (const path of ['/nothing', '/favicon.ico/x', '/errors/no-such-code', '/%2e%2e/etc/passwd']) {
      assertProblem(portico, await api(portico, path), 404)
    }
  })
})

describe('405', () => {
  test('a wrong method with a token lists the allowed ones in Allow', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await api(portico, '/v2/sites', { method, token })
      assertProblem(portico, answer, 405)
      assert.match(answer.headers.get('allow') ?? '', /\bGET\b/)
    }
  })
})

test('the type of every problem is a page of this server', async () => {
  const answers = [
    await api(portico, '/v2/sites'),
    await api(portico, '/v2/sites', { token: 'x' }),
    await api(portico, '/v2/sites?colour=blue', { token }),
    await api(portico, '/v2/nothing', { token }),
    await api(portico, '/v2/sites', { method: 'POST', token }),
    await api(portico, '/operator/partners', { token }),
  ]
  for (const answer of answers) {
    const page = await send(asString(answer.json['type']))
    assert.equal(page.status, 200, asString(answer.json['type']))
    assert.match(page.headers.get('content-type') ?? '', /^text\/html\b/)
  }
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { consoleToken, readCookie, requestConsoleToken, signIn } from '../support/clients/console.ts'
import { addPartner, changePartner } from '../support/clients/operator.ts'
import { type Answer, api, send } from '../support/clients/requests.ts'
import { eventually } from '../support/eventually.ts'
import { asArray, asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { runPortico } from '../support/servers/portico.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico, operator } = await shareDemo()
const { origin, url, demoEnv, dataDir } = portico

const newPartner = () => addPartner(portico, operator)

const addLink = (body: JsonObject = {}): Promise<Answer> =>
  api(portico, '/operator/console-links', { method: 'POST', token: operator, body })

async function newLink(body: JsonObject = {}): Promise<string> {
  const answer = await addLink(body)
  assert.equal(answer.status, 201, answer.text)
  return asString(answer.json['url'])
}

/** Opens a link, at the address where the server listens. */
const open = (link: string, method = 'GET'): Promise<Answer> => {
  assert.ok(link.startsWith(`${url}/console/enter?code=`), link)
  return send(link.replace(url, origin), { method })
}

/** The partner that a link signs in as. */
async function enterAs(link: string): Promise<unknown> {
  const answer = await open(link)
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/console'])
  const { json } = await requestConsoleToken(portico, readCookie(answer))
  return asObject(json['partner'])['clientId']
}

const assertUsedUp = (answer: Answer): void => {
  assert.deepEqual([answer.status, answer.headers.getSetCookie()], [303, []])
  assert.equal(answer.headers.get('location'), '/console/sign-in?flash=link')
}

describe('a one-time link', () => {
  test('signs in as the operator that created it, or as a partner, for five minutes', async () => {
    assert.equal(await enterAs(await newLink()), demoEnv.OPERATOR_CLIENT_ID)
    const { partnerUuid, clientId } = await newPartner()
    const before = Date.now()
    const { json } = await addLink({ partnerUuid })
    assert.equal(json['partnerUuid'], partnerUuid)
    const lifetime = Date.parse(asString(json['expiresAt'])) - before
    assert.ok(lifetime > 290_000 && lifetime < 600_000, String(lifetime))
    assert.equal(await enterAs(asString(json['url'])), clientId)
  })

  test('works once, and a look at it does not count', async () => {
    const link = await newLink()
    assertUsedUp(await open(link, 'HEAD'))
    await enterAs(link)
    assertUsedUp(await open(link))
    const { text } = await send(`${origin}/console/sign-in?flash=link`)
    assert.match(text, /This link was used already or has expired/)
  })

  test('of several browsers at the same time signs in one', async () => {
    const link = await newLink()
    const answers = await Promise.all(Array.from({ length: 5 }, () => open(link)))
    assert.equal(answers.filter(({ headers }) => headers.getSetCookie().length > 0).length, 1)
  })

  test('with an unknown code leads to the form', async () => {
    for (const code of ['', 'x', 'A'.repeat(43), '%00', '<script>'])
      assertUsedUp(await send(`${origin}/console/enter?code=${code}`))
    assertUsedUp(await send(`${origin}/console/enter`))
  })

  test('of a partner that is disabled does not work, nor can one be created', async () => {
    const { partnerUuid } = await newPartner()
    const link = await newLink({ partnerUuid })
    await changePartner(portico, operator, partnerUuid, { enabled: false })
    await eventually(async () => assertUsedUp(await open(link)))
    assertProblem(portico, await addLink({ partnerUuid }), 409)
  })

  test('of an unknown partner cannot be created', async () => {
    assertProblem(portico, await addLink({ partnerUuid: randomUUID() }), 404)
    assertProblem(portico, await addLink({ partnerUuid: 'x' }), 400)
  })

  test('is recorded in the audit log without its code', async () => {
    const { partnerUuid } = await newPartner()
    const link = await newLink({ partnerUuid })
    await enterAs(link)
    const { json, text } = await api(portico, '/operator/audit?limit=1000', { token: operator })
    const actions = asArray(json['data'])
      .map(asObject)
      .filter(({ target }) => target === partnerUuid)
      .map(({ action }) => action)
    assert.deepEqual(actions, ['console.signed-in', 'console.link-added', 'partner.added'])
    assert.ok(!text.includes(new URL(link).searchParams.get('code') ?? assert.fail()))
  })
})

describe('the list of sessions', () => {
  const list = async (): Promise<JsonObject[]> => {
    const answer = await api(portico, '/operator/sessions?limit=1000', { token: operator })
    assert.equal(answer.status, 200, answer.text)
    return asArray(answer.json['data']).map(asObject)
  }

  test('shows who is signed in, from where, and reveals no cookie', async () => {
    const partner = await newPartner()
    const cookie = await signIn(portico, partner)
    const [session, ...others] = (await list()).filter(
      ({ partnerUuid }) => partnerUuid === partner.partnerUuid,
    )
    assert.ok(session && others.length === 0)
    assert.equal(session['partnerName'], 'Acceptance partner')
    assert.equal(session['secretId'], partner.secretId)
    assert.match(asString(session['address']), /127\.0\.0\.1|::1/)
    const lasts = Date.parse(asString(session['expiresAt'])) - Date.parse(asString(session['createdAt']))
    assert.equal(lasts, 8 * 3_600_000)
    assert.ok(!JSON.stringify(session).includes(cookie.split('=')[1] ?? assert.fail()))
    const stolen = await requestConsoleToken(portico, `__Host-portico=${asString(session['sessionId'])}`)
    assert.equal(stolen.status, 401)
  })

  test('is paged', async () => {
    const partner = await newPartner()
    for (let count = 0; count < 3; count += 1) await signIn(portico, partner)
    const first = await api(portico, '/operator/sessions?limit=1', { token: operator })
    const { nextCursor } = asObject(first.json['pagination'])
    const next = `/operator/sessions?limit=2&cursor=${encodeURIComponent(asString(nextCursor))}`
    const second = await api(portico, next, { token: operator })
    assert.equal(asArray(second.json['data']).length, 2)
    const { partnerUuid } = partner
    const own = await api(portico, `/operator/sessions?partnerUuid=${partnerUuid.toUpperCase()}`, {
      token: operator,
    })
    assert.deepEqual(
      asArray(own.json['data']).map((session) => asObject(session)['partnerUuid']),
      [partnerUuid, partnerUuid, partnerUuid],
    )
    const mixed = await api(portico, `${next}&partnerUuid=${partnerUuid}`, { token: operator })
    assert.equal(mixed.status, 400)
  })

  test('ends a session, together with its token', async () => {
    const partner = await newPartner()
    const cookie = await signIn(portico, partner)
    const token = await consoleToken(portico, cookie)
    const [session] = (await list()).filter(({ partnerUuid }) => partnerUuid === partner.partnerUuid)
    const path = `/operator/sessions/${asString(session?.['sessionId'])}`
    const end = () => api(portico, path, { method: 'DELETE', token: operator })
    assert.equal((await end()).status, 204)
    assert.equal((await requestConsoleToken(portico, cookie)).status, 401)
    assert.equal((await api(portico, '/v2/sites', { token })).status, 401)
    assertProblem(portico, await end(), 404)
    assertProblem(
      portico,
      await api(portico, '/operator/sessions/x', { method: 'DELETE', token: operator }),
      400,
    )
  })
})

describe('on the command line', () => {
  const env = {
    PORTICO_URL: origin,
    PORTICO_CLIENT_ID: demoEnv.OPERATOR_CLIENT_ID,
    PORTICO_CLIENT_SECRET: demoEnv.OPERATOR_CLIENT_SECRET,
  }

  for (const [name, where] of Object.entries({ 'the store': { dataDir }, 'a server': { env } })) {
    const run = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runPortico(['console', ...args], where)
      assert.equal(code, 0, stderr)
      return stdout
    }

    test(`console link on ${name} prints a link for the operator or for a partner`, async () => {
      assert.equal(await enterAs((await run('link')).trim()), demoEnv.OPERATOR_CLIENT_ID)
      const { partnerUuid, clientId } = await newPartner()
      const printed = asObject(parseJson(await run('link', '--partner', partnerUuid, '--json')))
      assert.equal(await enterAs(asString(printed['url'])), clientId)
      assertUsedUp(await open(asString(printed['url'])))
    })

    test(`console sessions and console end on ${name}`, async () => {
      const partner = await newPartner()
      const cookie = await signIn(portico, partner)
      const { data } = asObject(parseJson(await run('sessions', '--json')))
      const session = asArray(data)
        .map(asObject)
        .find(({ partnerUuid }) => partnerUuid === partner.partnerUuid)
      const sessionId = asString(session?.['sessionId'])
      assert.ok((await run('sessions')).includes(sessionId))
      await run('end', sessionId)
      await eventually(async () => assert.equal((await requestConsoleToken(portico, cookie)).status, 401))
    })
  }

  test('console link for an unknown partner fails with one line', async () => {
    for (const partner of [randomUUID(), 'x']) {
      const { code, stderr } = await runPortico(['console', 'link', '--partner', partner], { dataDir })
      assert.notEqual(code, 0)
      assert.match(stderr, /^portico: [^\n]+\n$/)
    }
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { addPartner, addSecret, changePartner } from '../support/clients/operator.ts'
import { startPortico } from '../support/servers/portico.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { api, operatorToken, tokenFor } from '../support/clients/requests.ts'

const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

const { OPERATOR_CLIENT_ID } = portico.demoEnv
const token = await operatorToken(portico)

async function page(
  query = '',
): Promise<{ data: JsonObject[]; nextCursor: unknown; hasMore: unknown; text: string }> {
  const answer = await api(portico, `/operator/audit${query}`, { token })
  assert.equal(answer.status, 200, answer.text)
  const { nextCursor, hasMore } = asObject(answer.json['pagination'])
  return { data: asArray(answer.json['data']).map(asObject), nextCursor, hasMore, text: answer.text }
}

async function everything(limit: number): Promise<JsonObject[]> {
  const found: JsonObject[] = []
  let query = `?limit=${limit}`
  for (;;) {
    const { data, nextCursor, hasMore } = await page(query)
    assert.ok(data.length <= limit)
    found.push(...data)
    assert.equal(hasMore, nextCursor !== null)
    if (nextCursor === null) return found
    query = `?limit=${limit}&cursor=${encodeURIComponent(asString(nextCursor))}`
  }
}

test('Link rel="next" of every list leads to the next page', async () => {
  for (const name of ['One', 'Two', 'Three']) await addPartner(portico, token, { name })
  // The server itself adds other entries to the audit log at any time.
  for (const list of ['audit?action=partner.added&', 'partners?']) {
    const first = await api(portico, `/operator/${list}limit=1`, { token })
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    assert.ok(next.startsWith(`${portico.operatorUrl}/${list}limit=1&cursor=`), next)
    const second = await api(portico, next.slice(portico.url.length), { token })
    const both = await api(portico, `/operator/${list}limit=2`, { token })
    assert.deepEqual(
      [...asArray(first.json['data']), ...asArray(second.json['data'])],
      asArray(both.json['data']),
    )
    const whole = await api(portico, `/operator/${list}limit=1000`, { token })
    assert.equal(whole.headers.get('link'), null)
  }
})

/** The operator may be named by client id, partner id or name. */
async function namesOfOperator(): Promise<string[]> {
  const { json } = await api(portico, '/operator/partners', { token })
  const operator = asArray(json['data'])
    .map(asObject)
    .find((partner) => partner['clientId'] === OPERATOR_CLIENT_ID)
  return [OPERATOR_CLIENT_ID, asString(operator?.['partnerUuid']), asString(operator?.['name'])]
}

test('every change is listed with its actor and its subject', async () => {
  const partner = await addPartner(portico, token)
  await changePartner(portico, token, partner.partnerUuid, { enabled: false })
  const secret = await addSecret(portico, token, partner.partnerUuid)
  const path = `/operator/partners/${partner.partnerUuid}/secrets/${secret.secretId}`
  assert.equal((await api(portico, path, { method: 'DELETE', token })).status, 204)
  const entries = (await everything(100)).map((entry) => JSON.stringify(entry))
  const about = entries.filter((entry) => entry.includes(partner.partnerUuid))
  assert.equal(about.length, 4, about.join('\n'))
  const names = await namesOfOperator()
  for (const entry of about) {
    assert.ok(
      names.some((name) => entry.includes(name)),
      entry,
    )
    assert.match(entry, /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/)
  }
  assert.equal(new Set(about.map((entry) => withoutTimes(entry))).size, 4, 'four different deeds')
})

test('the expiry of a secret and of a link are timestamps', async () => {
  const { partnerUuid } = await addPartner(portico, token)
  const secret = await addSecret(portico, token, partnerUuid)
  const link = await api(portico, '/operator/console-links', { method: 'POST', token, body: { partnerUuid } })
  const expiries = async (action: string): Promise<unknown[]> =>
    (await page(`?action=${action}&search=${partnerUuid}`)).data.map(
      ({ detail }) => asObject(detail)['expiresAt'],
    )
  assert.deepEqual(await expiries('secret.added'), [secret.json['expiresAt']])
  assert.deepEqual(await expiries('console.link-added'), [link.json['expiresAt']])
})

test('a key rotation is listed', async () => {
  const before = (await everything(100)).length
  await api(portico, '/operator/keys/rotate', { method: 'POST', token })
  assert.equal((await everything(100)).length, before + 1)
})

test('rejected requests and reads are not listed', async () => {
  const before = (await everything(100)).length
  await api(portico, '/operator/partners', { token })
  await api(portico, '/operator/partners', { method: 'POST', token, body: {} })
  assert.equal((await everything(100)).length, before)
})

test('a change that changes nothing is not listed', async () => {
  const { SITE_ID } = portico.demoEnv
  const { partnerUuid } = await addPartner(portico, token, { name: 'Same', sites: [SITE_ID] })
  const changes = async (): Promise<unknown[]> =>
    (await page(`?action=partner.changed&search=${partnerUuid}`)).data.map(({ detail }) => detail)
  const { json: before } = await api(portico, `/operator/partners/${partnerUuid}`, { token })
  for (const body of [
    { grantSites: [SITE_ID] },
    { revokeSites: [randomUUID()] },
    { sites: [SITE_ID.toUpperCase()] },
    { name: 'Same', enabled: true },
  ])
    await changePartner(portico, token, partnerUuid, body)
  assert.deepEqual(await changes(), [])
  assert.deepEqual((await api(portico, `/operator/partners/${partnerUuid}`, { token })).json, before)
  await changePartner(portico, token, partnerUuid, { revokeSites: [SITE_ID] })
  await changePartner(portico, token, partnerUuid, { revokeSites: [SITE_ID] })
  assert.deepEqual(await changes(), [{ revokeSites: [SITE_ID] }])
})

test('no secret value is ever listed', async () => {
  const partner = await addPartner(portico, token)
  const secret = await addSecret(portico, token, partner.partnerUuid)
  const { text } = await page()
  for (const value of [partner.clientSecret, secret.clientSecret]) assert.ok(!text.includes(value))
})

test('its pages, of any size, contain every entry once, in the same order', async () => {
  for (let count = 0; count < 5; count++) await addPartner(portico, token)
  const whole = await everything(1_000)
  assert.ok(whole.length >= 5)
  for (const limit of [1, 2, 3]) assert.deepEqual(await everything(limit), whole)
})

test('entries written while reading do not shift the pages', async () => {
  const first = await page('?limit=2')
  const cursor = encodeURIComponent(asString(first.nextCursor))
  const second = await page(`?limit=2&cursor=${cursor}`)
  await addPartner(portico, token)
  const again = await page(`?limit=2&cursor=${cursor}`)
  assert.deepEqual(again.data, second.data)
})

test('a cursor of another operator is 400', async () => {
  const second = await addPartner(portico, token, { sites: [], roles: ['Operator'] })
  const theirs = await tokenFor(portico, second.clientId, second.clientSecret)
  const cursor = encodeURIComponent(asString((await page('?limit=1')).nextCursor))
  const path = `/operator/audit?limit=1&cursor=${cursor}`
  assert.equal((await api(portico, path, { token })).status, 200)
  assertProblem(portico, await api(portico, path, { token: theirs }), 400)
})

test('a forged or modified cursor is 400', async () => {
  const { nextCursor } = await page('?limit=1')
  const cursor = asString(nextCursor)
  const changed = `${cursor.slice(0, 4)}${cursor[4] === 'A' ? 'B' : 'A'}${cursor.slice(5)}`
  const forged = ['x', '1', '', changed, `${cursor}x`, cursor.slice(0, -3), btoa('{"id":1}'), '../..', '\0']
  for (const text of forged) {
    const answer = await api(portico, `/operator/audit?limit=1&cursor=${encodeURIComponent(text)}`, { token })
    assertProblem(portico, answer, 400)
  }
})

test('a limit outside 1..1000, and an unknown parameter, are 400', async () => {
  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=',
    'colour=blue',
  ]) {
    assertProblem(portico, await api(portico, `/operator/audit?${query}`, { token }), 400)
  }
})

function withoutTimes(entry: string): string {
  return entry.replaceAll(/\d{4}-\d{2}-\d{2}T[0-9:.]+Z/g, '').replaceAll(/"[a-z]*(Id|Uuid)":"[^"]*"/gi, '')
}

test('the list contains only what its filters select', async () => {
  const { partnerUuid } = await addPartner(portico, token, { name: 'Heron Analytics' })
  await addSecret(portico, token, partnerUuid)
  const all = await everything(1000)
  const select = (keep: (entry: JsonObject) => boolean): unknown[] => all.filter(keep).map(({ id }) => id)
  const find = async (query: string): Promise<unknown[]> =>
    (await page(`?limit=1000&${query}`)).data.map(({ id }) => id)
  const added = await find('action=partner.added')
  assert.deepEqual(
    added,
    select(({ action }) => action === 'partner.added'),
  )
  const [, operatorUuid = '', operatorName = ''] = await namesOfOperator()
  for (const actor of [operatorUuid, operatorName])
    assert.deepEqual(
      await find(`actor=${encodeURIComponent(actor)}`),
      select((entry) => asObject(entry['actor'])['id'] === operatorUuid),
    )
  assert.deepEqual(
    await find(`search=${partnerUuid.toUpperCase()}`),
    select((entry) => entry['target'] === partnerUuid),
  )
  assert.equal((await find('search=heron+analytics')).length, 1)
  assert.deepEqual(await find('action=partner.added&search=no-such-text'), [])
  const from = new Date(Date.now() + 60_000).toISOString()
  assert.deepEqual(await find(`from=${from}`), [])
  const { nextCursor } = await page('?limit=1&action=partner.added')
  for (const query of ['from=x', `action=secret.added&cursor=${encodeURIComponent(asString(nextCursor))}`])
    assertProblem(portico, await api(portico, `/operator/audit?${query}`, { token }), 400)
})

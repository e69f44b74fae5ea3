import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { asArray, asObject } from '../support/json.ts'
import { startPortico } from '../support/servers/portico.ts'
import { api, demoToken, operatorToken } from '../support/clients/requests.ts'

const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

const operator = await operatorToken(portico)

const getKid = (token: string): string => String(decodeProtectedHeader(token).kid)
const rotate = () => api(portico, '/operator/keys/rotate', { method: 'POST', token: operator })
const publishedKids = async (): Promise<unknown[]> => {
  const { json } = await api(portico, '/auth/discovery/v2.0/keys')
  return asArray(json['keys']).map((key) => asObject(key)['kid'])
}

test('rotating returns the id of the new key, and new tokens carry it', async () => {
  const before = getKid(await demoToken(portico))
  const answer = await rotate()
  assert.ok(answer.status === 200 || answer.status === 201, answer.text)
  const kid = getKid(await demoToken(portico))
  assert.notEqual(kid, before)
  assert.ok(Object.values(answer.json).includes(kid), `${answer.text} does not name ${kid}`)
  assert.doesNotMatch(answer.text, /"d"|PRIVATE/)
})

test('tokens of the old key remain valid, and the key set contains both keys', async () => {
  const old = await demoToken(portico)
  await rotate()
  const renewed = await demoToken(portico)
  for (const token of [old, renewed]) {
    assert.equal((await api(portico, '/v2/sites', { token })).status, 200)
  }
  const kids = await publishedKids()
  assert.ok(kids.includes(getKid(old)) && kids.includes(getKid(renewed)), JSON.stringify(kids))
  const keySet = createRemoteJWKSet(new URL(`${portico.authUrl}/discovery/v2.0/keys`))
  for (const token of [old, renewed]) await jwtVerify(token, keySet, { issuer: `${portico.authUrl}/v2.0` })
})

test('the list has the keys of the key set, newest first, and no key material', async () => {
  await rotate()
  const answer = await api(portico, '/operator/keys', { token: operator })
  assert.equal(answer.status, 200, answer.text)
  const keys = asArray(answer.json['data']).map(asObject)
  assert.deepEqual(new Set(keys.map(({ kid }) => kid)), new Set(await publishedKids()))
  assert.equal(keys[0]?.['kid'], getKid(await demoToken(portico)))
  assert.deepEqual(
    keys.map(({ retiredAt }) => retiredAt === null),
    keys.map((_, index) => index === 0),
  )
  for (const key of keys)
    assert.deepEqual(Object.keys(key).toSorted(), ['algorithm', 'createdAt', 'kid', 'retiredAt'])
})

test('the token of the operator who rotates remains valid', async () => {
  await rotate()
  assert.equal((await api(portico, '/operator/partners', { token: operator })).status, 200)
})

test('concurrent rotations leave tokens that verify', async () => {
  const answers = await Promise.all([rotate(), rotate(), rotate()])
  for (const answer of answers) assert.ok(answer.status < 500, answer.text)
  const token = await demoToken(portico)
  assert.ok((await publishedKids()).includes(getKid(token)))
  assert.equal((await api(portico, '/v2/sites', { token })).status, 200)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { postFromPage, postSignIn, readCookie } from '../support/clients/console.ts'
import { type Answer, api, tokenFor } from '../support/clients/requests.ts'
import { makeOperatorDir } from '../support/servers/operator-dir.ts'
import { type Portico, startPortico } from '../support/servers/portico.ts'

/** The response for an address that does not exist, without the parts that identify the request. */
const toText = ({ status, text }: Answer): string =>
  `${status} ${text.replaceAll(/"(traceId|instance)":"[^"]*"/g, '')}`

/**
 * Whether the operator API responds as if it did not exist. Asserts that this holds for all of its addresses or for
 * none.
 */
async function isHidden(portico: Portico, token: string, headers: Record<string, string>): Promise<boolean> {
  const unknown = toText(await api(portico, '/nothing', { headers }))
  const isUnknown = async (method: string, path: string, sent: { token?: string }): Promise<boolean> =>
    toText(await api(portico, path, { method, headers, ...sent })) === unknown
  const isAbsent = await isUnknown('GET', '/operator/partners', { token })
  for (const path of isAbsent
    ? ['/operator/partners', '/operator/nothing', '/operator']
    : ['/operator/partners'])
    for (const method of ['GET', 'DELETE'])
      for (const sent of [{ token }, {}])
        assert.equal(await isUnknown(method, path, sent), isAbsent, `${method} ${path}`)
  return isAbsent
}

describe('OPERATOR_NETWORKS', () => {
  const OPERATOR_NETWORKS = '10.0.0.0/8, 2001:db8::/32'

  test('hides the operator API and the sign-in of operators from other networks', async () => {
    const operator = await makeOperatorDir()
    const env = { OPERATOR_NETWORKS, TRUST_PROXY: '1' }
    await using portico = await startPortico({ demo: false, dataDir: operator.dataDir, env })
    const token = await tokenFor(portico, operator.clientId, operator.clientSecret)
    const cases = {
      '10.1.2.3': false,
      '::ffff:10.1.2.3': false,
      '2001:db8::7': false,
      '11.1.2.3': true,
      '::ffff:11.1.2.3': true,
      '2001:db9::7': true,
      '127.0.0.1': true,
      'not an address': true,
    }
    for (const [address, expected] of Object.entries(cases))
      assert.equal(await isHidden(portico, token, { 'x-forwarded-for': address }), expected, address)
    assert.equal((await api(portico, '/v2/sites', { token })).status, 200)

    const inside = { 'x-forwarded-for': '10.1.2.3' }
    const outside = { 'x-forwarded-for': '11.1.2.3' }
    assert.equal((await postSignIn(portico, operator, outside)).status, 404)
    assert.equal((await postSignIn(portico, { ...operator, clientSecret: 'wrong' }, outside)).status, 404)
    const cookie = readCookie(await postSignIn(portico, operator, inside))
    assert.equal((await postFromPage(portico, '/console/token', { cookie, ...inside })).status, 200)
    assert.equal((await postFromPage(portico, '/console/token', { cookie, ...outside })).status, 401)
  })

  test('uses the address of the connection if no proxy is trusted', async () => {
    const operator = await makeOperatorDir()
    const env = { OPERATOR_NETWORKS }
    await using portico = await startPortico({ demo: false, dataDir: operator.dataDir, env })
    const token = await tokenFor(portico, operator.clientId, operator.clientSecret)
    assert.equal(await isHidden(portico, token, { 'x-forwarded-for': '10.1.2.3' }), true)
  })
})

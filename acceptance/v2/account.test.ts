import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asArray, asObject, asString } from '../support/json.ts'
import { api } from '../support/clients/requests.ts'
import { addClient } from '../support/servers/installation.ts'
import { eventually } from '../support/eventually.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const demo = await shareDemo()
const { portico, operator } = demo
const { SITE_ID } = portico.demoEnv

/** Without a SiteId header. */
const readAccount = async (token: string) => {
  const answer = await api(portico, '/v2/account', { token })
  assert.equal(answer.status, 200, answer.text)
  return answer
}

describe('GET /account', () => {
  test('has the roles, sites, secrets and limits of the caller, and no secret value', async () => {
    const { partner, token } = await addClient(demo, [SITE_ID], ['Spaces.Read'])
    const { json, text } = await readAccount(token)
    assert.equal(json['partnerUuid'], partner.partnerUuid)
    assert.equal(json['name'], 'Acceptance partner')
    assert.equal(json['clientId'], partner.clientId)
    assert.deepEqual(json['roles'], ['Spaces.Read'])
    const sites = await api(portico, '/v2/sites', { token })
    assert.deepEqual(json['sites'], sites.json['data'])
    assert.deepEqual(json['rateLimits'], { perMinute: 180, per5Minutes: 500 })
    assert.equal(json['apiVersion'], '2')
    assert.match(asString(json['serverVersion']), /^\d+\.\d+\.\d+/)
    const secrets = asArray(json['secrets']).map(asObject)
    assert.deepEqual(
      secrets.map(({ secretId }) => secretId),
      [partner.secretId],
    )
    assert.ok(!text.includes(partner.clientSecret))
  })

  test('needs no role and no site', async () => {
    const { token } = await addClient(demo, [], ['V1.Read'])
    assert.deepEqual((await readAccount(token)).json['sites'], [])
  })

  test('follows secrets that are added, used and removed', async () => {
    const { partner, token } = await addClient(demo, [SITE_ID])
    const path = `/operator/partners/${partner.partnerUuid}/secrets`
    const body = { expiresInDays: 7 }
    const added = await api(portico, path, { method: 'POST', token: operator, body })
    assert.equal(added.status, 201, added.text)
    const secretsOf = async () => asArray((await readAccount(token)).json['secrets']).map(asObject)
    const second = (await secretsOf()).find(({ secretId }) => secretId === added.json['secretId'])
    assert.equal(second?.['lastUsedAt'], null)
    assert.equal(second['expiresAt'], added.json['expiresAt'])
    assert.ok(!JSON.stringify(second).includes(asString(added.json['clientSecret'])))
    await eventually(async () => {
      const first = (await secretsOf()).find(({ secretId }) => secretId === partner.secretId)
      assert.notEqual(first?.['lastUsedAt'], null)
    })
    const secretPath = `${path}/${asString(added.json['secretId'])}`
    assert.equal((await api(portico, secretPath, { method: 'DELETE', token: operator })).status, 204)
    assert.deepEqual(
      (await secretsOf()).map(({ secretId }) => secretId),
      [partner.secretId],
    )
  })

  test('is 304 while nothing has changed', async () => {
    const { token } = await addClient(demo, [SITE_ID])
    await eventually(async () => {
      const etag = asString((await readAccount(token)).headers.get('etag'))
      const again = await api(portico, '/v2/account', { token, headers: { 'if-none-match': etag } })
      assert.equal(again.status, 304)
    })
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startInstallation } from '../support/servers/installation.ts'
import { asArray, asObject, asString } from '../support/json.ts'
import { type NewPartner, readNewPartner } from '../support/clients/operator.ts'
import { runPortico } from '../support/servers/portico.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { type Answer, api, tokenFor } from '../support/clients/requests.ts'

const installation = await startInstallation()
after(() => installation.stop())
const { portico, operator } = installation

const change = (partnerUuid: string, body: unknown, token = operator): Promise<Answer> =>
  api(portico, `/operator/partners/${partnerUuid}`, { method: 'PATCH', token, body })

async function addOperator(): Promise<NewPartner & { token: string }> {
  const body = { name: 'Another operator', sites: [], roles: ['Operator'] }
  const answer = await api(portico, '/operator/partners', { method: 'POST', token: operator, body })
  assert.equal(answer.status, 201, answer.text)
  const partner = readNewPartner(answer.json)
  return { ...partner, token: await tokenFor(portico, partner.clientId, partner.clientSecret) }
}

const listed = await api(portico, '/operator/partners', { token: operator })
const own = asString(asObject(asArray(listed.json['data'])[0])['partnerUuid'])

describe('the last enabled operator', () => {
  for (const body of [
    { enabled: false },
    { roles: [] },
    { roles: ['Spaces.Read'] },
    { name: 'X', enabled: false },
  ]) {
    test(`is not changed by ${JSON.stringify(body)}: 409`, async () => {
      const { type } = assertProblem(portico, await change(own, body), 409)
      assert.equal(type, `${portico.url}/errors/last-operator`)
      const shown = await api(portico, `/operator/partners/${own}`, { token: operator })
      assert.deepEqual(
        [shown.json['name'], shown.json['enabled'], shown.json['roles']],
        ['Operator', true, ['Operator']],
      )
    })
  }

  test('is not disabled by the command line: exit code 1 and one line', async () => {
    const { code, stderr } = await runPortico(['partner', 'disable', own], { dataDir: portico.dataDir })
    assert.equal(code, 1)
    assert.match(stderr, /^[^\n]*last enabled partner with the role Operator[^\n]*\n$/)
    assert.equal((await api(portico, '/operator/partners', { token: operator })).status, 200)
  })

  test('can be renamed and given other roles besides Operator', async () => {
    assert.equal((await change(own, { name: 'Operator', roles: ['Operator', 'Spaces.Read'] })).status, 200)
    assert.equal((await change(own, { roles: ['Operator'] })).status, 200)
  })

  test('remains when two operators disable themselves concurrently', async () => {
    const first = await addOperator()
    const second = await addOperator()
    assert.equal((await change(own, { enabled: false }, first.token)).status, 200)
    const [one, other] = await Promise.all([
      change(first.partnerUuid, { enabled: false }, first.token),
      change(second.partnerUuid, { roles: [] }, second.token),
    ])
    assert.deepEqual(new Set([one.status, other.status]), new Set([200, 409]))
    const winner = one.status === 409 ? first : second
    assert.equal((await change(own, { enabled: true }, winner.token)).status, 200)
  })
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { eventually } from '../support/eventually.ts'
import { assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { type NewPartner, readNewPartner } from '../support/clients/operator.ts'
import { runPortico, startPortico } from '../support/servers/portico.ts'
import { assertUnauthorized } from '../support/oracles/problem.ts'
import {
  type Answer,
  api,
  demoToken,
  goodParameters,
  operatorToken,
  requestToken,
  tokenFor,
} from '../support/clients/requests.ts'

const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

async function run(...args: string[]): Promise<JsonObject> {
  const result = await runPortico([...args, '--json'], { dataDir: portico.dataDir })
  assert.equal(result.code, 0, `portico ${args.join(' ')}: ${result.stderr}`)
  return asObject(parseJson(result.stdout))
}
const add = async (name: string): Promise<NewPartner> =>
  readNewPartner(await run('partner', 'add', '--name', name, '--role', 'Devices.Read'))

// A running server applies a command's change within 5 seconds; the rest is for a slow machine.
const soon = <T>(assertion: () => Promise<T>): Promise<T> => eventually(assertion, 60_000)
const ask = (clientId: string, clientSecret: string): Promise<Answer> =>
  requestToken(portico, goodParameters(clientId, clientSecret))

test('a partner added on the command line gets a token from the running server within seconds', async () => {
  const partner = await add('Added')
  await soon(() => tokenFor(portico, partner.clientId, partner.clientSecret))
})

test('a partner disabled on the command line is rejected within seconds, including its tokens', async () => {
  const { partnerUuid, clientId, clientSecret } = await add('Disabled')
  const token = await soon(() => tokenFor(portico, clientId, clientSecret))
  assert.equal((await api(portico, '/v2/sites', { token })).status, 200)
  await run('partner', 'disable', partnerUuid)
  await soon(async () => {
    assertIssuerError(await ask(clientId, clientSecret), issuerErrors.disabledClient)
    assertUnauthorized(portico, await api(portico, '/v2/sites', { token }), 'TokenInvalid')
  })
})

test('secrets added and removed on the command line take effect within seconds', async () => {
  const { partnerUuid, clientId, clientSecret, secretId } = await add('Renewed')
  const second = asString((await run('secret', 'add', partnerUuid))['clientSecret'])
  await soon(() => tokenFor(portico, clientId, second))
  const removal = ['secret', 'remove', partnerUuid, secretId]
  assert.equal((await runPortico(removal, { dataDir: portico.dataDir })).code, 0)
  await soon(async () => assertIssuerError(await ask(clientId, clientSecret), issuerErrors.wrongSecret))
  await tokenFor(portico, clientId, second)
})

test('keys rotated on the command line are used within seconds, and old tokens remain valid', async () => {
  const old = await demoToken(portico)
  const rotated = await run('keys', 'rotate')
  const renewed = await soon(async () => {
    const token = await demoToken(portico)
    const { kid } = decodeProtectedHeader(token)
    assert.ok(Object.values(rotated).includes(kid), `${JSON.stringify(rotated)} does not name ${kid}`)
    return token
  })
  for (const token of [old, renewed]) {
    assert.equal((await api(portico, '/v2/sites', { token })).status, 200)
  }
})

test('changes on the command line are in the audit log', async () => {
  const partner = await add('Audited')
  const token = await operatorToken(portico)
  const { text } = await soon(async () => {
    const audit = await api(portico, '/operator/audit', { token })
    assert.ok(audit.text.includes(partner.partnerUuid))
    return audit
  })
  assert.ok(!text.includes(partner.clientSecret))
})

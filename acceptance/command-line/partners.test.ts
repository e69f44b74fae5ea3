import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { asArray, asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { addPartner, type NewPartner, readNewPartner } from '../support/clients/operator.ts'
import { makeTempDir, runPortico, startPortico } from '../support/servers/portico.ts'
import { api, goodParameters, operatorToken, requestToken, tokenFor } from '../support/clients/requests.ts'

const dataDir = await makeTempDir()
after(() => rm(dataDir, { recursive: true, force: true }))

async function run(...args: string[]): Promise<string> {
  const result = await runPortico(args, { dataDir })
  assert.equal(result.code, 0, `portico ${args.join(' ')}: ${result.stderr}`)
  return result.stdout
}
const runJson = async (...args: string[]): Promise<JsonObject> =>
  asObject(parseJson(await run(...args, '--json')))
const add = async (...args: string[]): Promise<NewPartner> =>
  readNewPartner(await runJson('partner', 'add', ...args))

/** The shape of a value: its keys, recursively, without the content. */
function toShape(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [name, toShape(inner)])
  return Object.fromEntries(entries.toSorted(([a], [b]) => a.localeCompare(b)))
}

test('the first operator is created on an empty store, without a server, and can then use the operator API', async () => {
  const operator = await add('--name', 'First operator', '--role', 'Operator')
  assert.deepEqual(operator.roles, ['Operator'])
  assert.equal(operator.json['name'], 'First operator')
  await using portico = await startPortico({ demo: false, dataDir, env: { RATE_LIMIT: 'off' } })
  const token = await tokenFor(portico, operator.clientId, operator.clientSecret)
  assert.equal((await api(portico, '/operator/partners', { token })).status, 200)
})

test('partner add prints the JSON that POST /operator/partners returns', async () => {
  const printed = await add('--name', 'Same', '--role', 'Devices.Read')
  await using portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
  const answered = await addPartner(portico, await operatorToken(portico), { name: 'Same', sites: [] })
  assert.deepEqual(toShape(printed.json), toShape(answered.json))
  assert.equal(printed.json['scope'], `api://${printed.clientId}/.default`)
})

test('partner add without --json prints readable credentials', async () => {
  const shown = await run('partner', 'add', '--name', 'Readable', '--role', 'Devices.Read')
  assert.throws(() => JSON.parse(shown))
  assert.match(shown, /[0-9a-f]{8}-[0-9a-f-]{27}/)
  assert.match(shown, /[A-Za-z0-9_-]{43}/)
})

test('partner list shows every partner and no secret', async () => {
  const partner = await add('--name', 'Listed', '--role', 'Devices.Read')
  for (const flags of [[], ['--json']]) {
    const shown = await run('partner', 'list', ...flags)
    assert.ok(shown.includes(partner.partnerUuid) && shown.includes('Listed'), shown)
    assert.ok(!shown.includes(partner.clientSecret))
  }
  parseJson(await run('partner', 'list', '--json'))
})

test('partner list is sorted by name', async () => {
  for (const name of ['zeta', 'Beta', 'alpha']) await add('--name', name, '--role', 'Devices.Read')
  const { data } = await runJson('partner', 'list')
  const names = asArray(data).map((one) => asString(asObject(one)['name']))
  assert.deepEqual(
    names.filter((name) => ['zeta', 'Beta', 'alpha'].includes(name)),
    ['alpha', 'Beta', 'zeta'],
  )
})

test('partner add prints the addresses of the APIs that the roles give access to', async () => {
  const operator = await run('partner', 'add', '--name', 'Address', '--role', 'Operator')
  assert.match(operator, /^OPERATOR_URL +http\S+\/operator$/m)
  assert.doesNotMatch(operator, /BASE_URL/)
  const partner = await run('partner', 'add', '--name', 'Address', '--role', 'Devices.Read')
  assert.match(partner, /^BASE_URL +http\S+\/v2$/m)
  assert.doesNotMatch(partner, /OPERATOR_URL|BASE_URL_V1/)
})

test('--port and --public-url of partner add determine the addresses, and the help says so', async () => {
  const print = (...flags: string[]): Promise<string> =>
    run('partner', 'add', '--name', 'Address', '--role', 'Devices.Read', ...flags)
  assert.match(await print('--port', '18080'), /^BASE_URL +http:\/\/localhost:18080\/v2$/m)
  const both = await print('--port', '18080', '--public-url', 'https://api.example.com')
  assert.match(both, /^BASE_URL +https:\/\/api\.example\.com\/v2$/m)
  for (const command of [
    ['partner', 'add'],
    ['console', 'link'],
    ['openapi', 'v2'],
  ]) {
    const help = await run(...command, '--help')
    assert.doesNotMatch(help, /listen/)
    assert.match(help, /^ {2}--port PORT +(Print addresses|Port in the addresses)/m)
  }
})

test('a site that does not exist is named in a sentence', async () => {
  const { partnerUuid } = await add('--name', 'No site', '--role', 'Devices.Read')
  const [first, second] = [randomUUID(), randomUUID()]
  const one = await runPortico(['partner', 'grant', partnerUuid, '--site', first], { dataDir })
  assert.equal(one.code, 1)
  assert.equal(one.stderr, `portico: There is no site ${first}.\n`)
  const two = await runPortico(['partner', 'grant', partnerUuid, '--site', first, '--site', second], {
    dataDir,
  })
  assert.match(two.stderr, /^portico: These sites do not exist: [0-9a-f-]{36}, [0-9a-f-]{36}\.\n$/)
  const revoked = await runPortico(['partner', 'revoke', partnerUuid, '--site', first], { dataDir })
  assert.equal(revoked.code, 1)
  assert.equal(revoked.stderr, `portico: there is no site ${first}; see portico site list\n`)
})

test('changes by commands apply to the server that is started next', async () => {
  const disabled = await add('--name', 'Disabled', '--role', 'Devices.Read')
  const again = await add('--name', 'Enabled again', '--role', 'Devices.Read')
  const renewed = await add('--name', 'Renewed', '--role', 'Devices.Read')
  await run('partner', 'disable', disabled.partnerUuid)
  await run('partner', 'disable', again.partnerUuid)
  await run('partner', 'enable', again.partnerUuid)
  const secret = await runJson('secret', 'add', renewed.partnerUuid, '--expires-in-days', '30')
  const expired = await runJson('secret', 'add', renewed.partnerUuid, '--expires-in-days', '0')
  await run('secret', 'remove', renewed.partnerUuid, renewed.secretId)

  await using portico = await startPortico({ demo: false, dataDir, env: { RATE_LIMIT: 'off' } })
  const ask = (clientId: string, clientSecret: string) =>
    requestToken(portico, goodParameters(clientId, clientSecret))
  assertIssuerError(await ask(disabled.clientId, disabled.clientSecret), issuerErrors.disabledClient)
  await tokenFor(portico, again.clientId, again.clientSecret)
  await tokenFor(portico, renewed.clientId, asString(secret['clientSecret']))
  assertIssuerError(await ask(renewed.clientId, renewed.clientSecret), issuerErrors.wrongSecret)
  const tooLate = await ask(renewed.clientId, asString(expired['clientSecret']))
  assertIssuerError(tooLate, issuerErrors.expiredSecret)
})

test('a sixth live secret is rejected with exit code 1', async () => {
  const { partnerUuid } = await add('--name', 'Many secrets', '--role', 'Devices.Read')
  for (let count = 2; count <= 5; count++) await run('secret', 'add', partnerUuid)
  const sixth = await runPortico(['secret', 'add', partnerUuid], { dataDir })
  assert.equal(sixth.code, 1, sixth.stdout)
  assert.equal(sixth.stderr.trimEnd().split('\n').length, 1, sixth.stderr)
})

test('an unknown partner or secret exits with code 1 and one line', async () => {
  const { partnerUuid } = await add('--name', 'Known', '--role', 'Devices.Read')
  for (const args of [
    ['partner', 'disable', randomUUID()],
    ['partner', 'enable', randomUUID()],
    ['secret', 'add', randomUUID()],
    ['secret', 'remove', partnerUuid, randomUUID()],
  ]) {
    const result = await runPortico(args, { dataDir })
    assert.equal(result.code, 1, `portico ${args.join(' ')}: ${result.stderr}`)
    assert.equal(result.stderr.trimEnd().split('\n').length, 1, result.stderr)
  }
})

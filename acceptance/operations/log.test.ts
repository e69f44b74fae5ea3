import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { asObject, type JsonObject, parseJson } from '../support/json.ts'
import { addPartner } from '../support/clients/operator.ts'
import { startPortico } from '../support/servers/portico.ts'
import { sendRequest } from '../support/clients/raw-http.ts'
import {
  api,
  basic,
  demoToken,
  goodParameters,
  operatorToken,
  requestToken,
  without,
} from '../support/clients/requests.ts'

// The most verbose level used in production.
const portico = await startPortico({ env: { RATE_LIMIT: 'off', LOG_LEVEL: 'debug' } })
after(() => portico.stop())

const { CLIENT_ID, CLIENT_SECRET, OPERATOR_CLIENT_SECRET } = portico.demoEnv
const good = goodParameters(CLIENT_ID, CLIENT_SECRET)
const startOfLog = portico.output().length

/** Every line since the server became ready, once the request with this id has been logged. */
async function linesUntil(requestId: string | null | undefined): Promise<JsonObject[]> {
  assert.ok(requestId)
  await eventually(async () => {
    const written = portico.output()
    assert.ok(written.includes(requestId) && written.endsWith('\n'), 'the log names the request')
  })
  const lines = portico.output().slice(startOfLog).split('\n')
  return lines.filter((line) => line !== '').map((line) => asObject(parseJson(line)))
}

test('every line is one JSON object, and a request can be found by its X-Request-Id', async () => {
  const answer = await api(portico, '/v2/sites', { token: await demoToken(portico) })
  assert.ok((await linesUntil(answer.headers.get('x-request-id'))).length > 0)
})

test('no secret or token that was sent or issued is logged, wherever the caller put it', async () => {
  const token = await demoToken(portico)
  const operator = await operatorToken(portico)
  const partner = await addPartner(portico, operator)
  const wrong = 'wrong-secret-zq7marker'
  const bare = without(good, 'client_id', 'client_secret')
  await requestToken(portico, { ...good, client_secret: wrong })
  await requestToken(portico, bare, { headers: { authorization: basic(CLIENT_ID, CLIENT_SECRET) } })
  await requestToken(portico, bare, { headers: { authorization: basic(CLIENT_ID, wrong) } })
  await requestToken(portico, undefined, { method: 'GET', query: good })
  await requestToken(portico, good, { query: { client_secret: wrong, Client_Secret: wrong } })
  await requestToken(portico, undefined, { rawBody: `client_secret=${wrong}&x=%` })
  await api(portico, '/v2/sites', { token })
  await api(portico, `/v2/sites?access_token=${token}`)
  await api(portico, `/nothing?client_secret=${CLIENT_SECRET}&token=${token}`)
  await api(portico, '/v2/sites', { headers: { cookie: `t=${token}`, authorization: `bearer ${token}x` } })
  const last = await api(portico, '/operator/partners', { token: operator })
  await linesUntil(last.headers.get('x-request-id'))
  const output = portico.output()
  const secrets = {
    'the demo secret': CLIENT_SECRET,
    'the operator secret': OPERATOR_CLIENT_SECRET,
    'a new secret': partner.clientSecret,
    'a wrong secret': wrong,
    'an HTTP Basic header': basic(CLIENT_ID, CLIENT_SECRET).slice('Basic '.length),
    'a token': token,
    'a signature': token.split('.')[2] ?? '',
    'an operator token': operator,
  }
  for (const [name, value] of Object.entries(secrets)) {
    assert.ok(!output.includes(value), `${name} is in the log`)
  }
})

test('input of a caller can forge neither a line nor a field', async () => {
  const forged = '","level":60,"forged":true,"msg":"zq7forged'
  const line = '{"level":60,"forged":true,"msg":"zq7forged"}'
  const encoded = encodeURIComponent(`\r\n${line}\r\n`)
  const headers: [string, string][] = [
    ['User-Agent', forged],
    ['X-Request-Id', line],
    ['Client-Request-Id', `\t${line}`],
    ['X-Forwarded-For', line],
    ['Referer', line],
  ]
  await sendRequest(portico, { path: `/${encoded}`, headers })
  await sendRequest(portico, { path: `/v2/sites?x=${encoded}`, headers })
  await sendRequest(portico, { path: `/live?x="${forged}`, headers })
  await requestToken(portico, { ...good, client_id: `\r\n${line}\r\n`, scope: forged, grant_type: forged })
  await requestToken(portico, undefined, { method: 'GET', query: { 'client-request-id': `\r\n${line}` } })
  const last = await api(portico, '/live')
  const lines = await linesUntil(last.headers.get('x-request-id'))
  for (const found of lines) {
    assert.ok(!('forged' in found), JSON.stringify(found))
    assert.notEqual(found['msg'], 'zq7forged')
    assert.notEqual(found['level'], 60)
  }
})

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { eventually } from '../support/eventually.ts'
import { assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { asArray, asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { addPartner, addSecret, changePartner, type NewPartner } from '../support/clients/operator.ts'
import { startPortico } from '../support/servers/portico.ts'
import { type RawAnswer, type RawRequest, sendRequest } from '../support/clients/raw-http.ts'
import {
  api,
  basic,
  goodParameters,
  operatorToken,
  requestToken,
  without,
} from '../support/clients/requests.ts'

/** Token requests that are equivalent but formatted differently get the same response. */
const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

const operator = await operatorToken(portico)
const PATH = '/auth/oauth2/v2.0/token'
const FORM: [string, string] = ['Content-Type', 'application/x-www-form-urlencoded']

const toForm = (params: Record<string, string>): string => new URLSearchParams(params).toString()

function usual(params: Record<string, string>): RawRequest {
  return { method: 'POST', path: PATH, headers: [FORM], body: toForm(params) }
}

/** Rare but equivalent forms of the request. */
function unusual(params: Record<string, string>): Record<string, RawRequest> {
  const { client_id = '', client_secret = '' } = params
  const request = usual(params)
  const body = toForm(params)
  return {
    'a query': { ...request, path: `${PATH}?x=1` },
    'a proxy before it': { ...request, headers: [FORM, ['X-Forwarded-For', '192.0.2.1']] },
    'an expectation': { ...request, headers: [FORM, ['Expect', '200-maybe']] },
    'a parameter of the type': { ...request, headers: [[FORM[0], `${FORM[1]}; x=y`]] },
    chunks: {
      ...request,
      headers: [FORM, ['Transfer-Encoding', 'chunked']],
      body: `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    },
    'HTTP Basic': {
      ...request,
      headers: [FORM, ['Authorization', basic(client_id, client_secret)]],
      body: toForm(without(params, 'client_id', 'client_secret')),
    },
  }
}

const tokenIn = ({ body }: { body: string }): string => asString(asObject(parseJson(body))['access_token'])

/** The response without the parts that differ between any two. */
function comparable(answer: RawAnswer): object {
  const token = tokenIn(answer)
  const { jti, iat, nbf, exp, ...claims } = decodeJwt(token)
  assert.match(String(jti), /^[0-9a-f-]{36}$/)
  assert.ok(iat !== undefined && nbf !== undefined && exp !== undefined)
  const own = new Set(['date', 'x-request-id'])
  return {
    status: answer.status,
    headers: answer.headers.map(([name, value]) => (own.has(name) ? [name] : [name, value])),
    body: answer.body.replace(token, ''),
    header: decodeProtectedHeader(token),
    claims,
    lifetime: exp - iat,
    validBefore: iat - nbf,
  }
}

async function newClient(): Promise<NewPartner & { params: Record<string, string> }> {
  const partner = await addPartner(portico, operator)
  return { ...partner, params: goodParameters(partner.clientId, partner.clientSecret) }
}

for (const connection of ['close', 'keep-alive']) {
  test(`a token response is identical for every form of the request (connection: ${connection})`, async () => {
    const { params } = await newClient()
    const ask = (request: RawRequest): Promise<RawAnswer> =>
      sendRequest(portico, { ...request, headers: [...(request.headers ?? []), ['Connection', connection]] })
    const first = await ask(usual(params))
    assert.equal(first.status, 200, first.body)
    const again = await ask(usual(params))
    assert.notEqual(tokenIn(again), tokenIn(first))
    assert.deepEqual(comparable(again), comparable(first))
    for (const [name, request] of Object.entries(unusual(params)))
      assert.deepEqual(comparable(await ask(request)), comparable(first), name)
  })
}

test('every form has the same log entry and the same counts', async () => {
  const { params } = await newClient()
  const requests = [usual(params), usual(params), ...Object.values(unusual(params))]
  const before = await counts()
  const ids: string[] = []
  for (const request of requests) ids.push((await sendRequest(portico, request)).header('x-request-id') ?? '')
  await eventually(async () => {
    for (const id of ids) assert.ok(portico.output().includes(id), id)
    assert.deepEqual(
      await counts(),
      before.map((count) => count + requests.length),
    )
  })
  const lines = ids.map(findLogLine)
  for (const line of lines) assert.deepEqual(line, lines[0])
})

/** Tokens issued, and responses of the endpoint. */
async function counts(): Promise<number[]> {
  const text = await readMetrics(portico)
  return [
    /^portico_tokens_issued_total (\d+)$/m,
    /^portico_http_requests_total\{.*token".*"200"\} (\d+)$/m,
  ].map((line) => Number(line.exec(text)?.[1]))
}

/** The log entry of a request without its unique fields. */
function findLogLine(id: string): JsonObject {
  const lines = portico.output().split('\n')
  const {
    time,
    traceId,
    ms,
    worker: _worker,
    ...rest
  } = asObject(parseJson(lines.find((line) => line.includes(id)) ?? ''))
  assert.ok(time !== undefined && traceId !== undefined && typeof ms === 'number')
  return rest
}

test('a change by an operator applies to the next request in the usual form', async () => {
  const { partnerUuid, secretId, params } = await newClient()
  const ask = (changes: Record<string, string> = {}) => requestToken(portico, { ...params, ...changes })
  const assertGiven = async (changes?: Record<string, string>): Promise<string> => {
    const answer = await ask(changes)
    assert.equal(answer.status, 200, answer.text)
    return tokenIn({ body: answer.text })
  }
  for (let round = 0; round < 2; round += 1) {
    await assertGiven()
    await assertGiven()
    await changePartner(portico, operator, partnerUuid, { enabled: false })
    assertIssuerError(await ask(), issuerErrors.disabledClient)
    await changePartner(portico, operator, partnerUuid, { enabled: true })
    await assertGiven()
  }
  await changePartner(portico, operator, partnerUuid, { roles: ['Spaces.Read', 'V1.Read'] })
  assert.deepEqual(decodeJwt(await assertGiven())['roles'], ['Spaces.Read', 'V1.Read'])

  const second = { client_secret: (await addSecret(portico, operator, partnerUuid)).clientSecret }
  await assertGiven(second)
  const path = `/operator/partners/${partnerUuid}/secrets/${secretId}`
  assert.equal((await api(portico, path, { method: 'DELETE', token: operator })).status, 204)
  assertIssuerError(await ask(), issuerErrors.wrongSecret)
  const before = decodeProtectedHeader(await assertGiven(second)).kid
  const rotated = await api(portico, '/operator/keys/rotate', { method: 'POST', token: operator })
  const { kid } = decodeProtectedHeader(await assertGiven(second))
  assert.notEqual(kid, before)
  assert.ok(Object.values(rotated.json).includes(kid ?? ''), rotated.text)
})

test('the last use of the secret is recorded', async () => {
  const { partnerUuid, params } = await newClient()
  for (let count = 0; count < 3; count += 1) assert.equal((await requestToken(portico, params)).status, 200)
  await eventually(async () => {
    const { json } = await api(portico, `/operator/partners/${partnerUuid}`, { token: operator })
    const [secret] = asArray(json['secrets']).map(asObject)
    assert.equal(typeof secret?.['lastUsedAt'], 'string')
  })
})

test('pipelined requests are answered in order, valid or not', async () => {
  const { params } = await newClient()
  const bytes = (changes: Record<string, string> = {}, connection = 'keep-alive'): string => {
    const body = toForm({ ...params, ...changes })
    const lines = ['Host: x', FORM.join(': '), `Connection: ${connection}`, `Content-Length: ${body.length}`]
    return [`POST ${PATH} HTTP/1.1`, ...lines, '', body].join('\r\n')
  }
  const wrong = { client_secret: 'wrong' }
  const pieces = [bytes(), bytes(wrong), bytes(), bytes(), bytes(wrong), bytes({}, 'close')]
  for (const sent of [pieces, pieces.join('').match(/[^]{1,7}/g) ?? []]) {
    const answer = await untilClosed(sent)
    assert.deepEqual(
      [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status),
      ['200', '401', '200', '200', '401', '200'],
    )
  }
})

/** Writes each chunk separately, and reads until the server closes. */
async function untilClosed(pieces: readonly string[]): Promise<string> {
  const socket = connect(portico.port, '127.0.0.1').setNoDelay(true).setEncoding('utf8')
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve))
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

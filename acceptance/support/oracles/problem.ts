import assert from 'node:assert/strict'
import { asArray, asObject, asString, asUuid, type JsonObject } from '../json.ts'
import type { Portico } from '../servers/portico.ts'
import type { Answer } from '../clients/requests.ts'

const fields = ['type', 'title', 'status', 'detail', 'instance', 'traceId', 'errors']

/** The body of every error outside the issuer. */
export function assertProblem(portico: Portico, answer: Answer, status: number): JsonObject {
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json\b/)
  const body = answer.json
  assert.deepEqual(Object.keys(body).toSorted(), fields.toSorted())
  const type = asString(body['type'])
  assert.ok(type.startsWith(`${portico.url}/errors/`), type)
  assert.match(type.slice(`${portico.url}/errors/`.length), /^[a-z0-9]+(-[a-z0-9]+)*$/)
  assert.notEqual(asString(body['title']), '')
  assert.notEqual(asString(body['detail']), '')
  assert.equal(body['status'], status)
  asString(body['instance'])
  assert.equal(asUuid(body['traceId']), answer.headers.get('x-request-id'))
  for (const item of asArray(body['errors'])) {
    const error = asObject(item)
    assert.deepEqual(Object.keys(error).toSorted(), ['code', 'field', 'message'])
    for (const value of Object.values(error)) asString(value)
  }
  return body
}

/** Asserts a 401 of the API with its title and the challenge that RFC 6750 requires. */
export function assertUnauthorized(portico: Portico, answer: Answer, title: string): void {
  const body = assertProblem(portico, answer, 401)
  assert.equal(body['title'], title)
  assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer\b/)
}

/** Asserts a 400 whose `errors` name this field or one of its elements. */
export function assertFieldRefused(portico: Portico, answer: Answer, field: string): void {
  const body = assertProblem(portico, answer, 400)
  const named = asArray(body['errors']).map((item) => asString(asObject(item)['field']))
  const points = named.some((name) => name.replace(/^\W+/, '').split(/\W+/)[0] === field)
  assert.ok(points, `no error names ${field}: ${answer.text}`)
}

export function assertNoCors(headers: Headers): void {
  const cors = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
  assert.deepEqual(cors, [])
}

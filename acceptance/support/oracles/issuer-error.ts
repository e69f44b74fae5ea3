import assert from 'node:assert/strict'
import { asArray, asInstant, asInteger, asString, asUuid, type JsonObject, parseJson } from '../json.ts'
import type { Answer } from '../clients/requests.ts'

const fields = [
  'error',
  'error_description',
  'error_codes',
  'timestamp',
  'trace_id',
  'correlation_id',
  'error_uri',
]

// RFC 6749, section 5.2: the characters allowed in `error` and `error_description`, and in `error_uri`.
const describable = /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/
const addressable = /^[\x21\x23-\x5B\x5D-\x7E]+$/

interface ExpectedError {
  status: number
  error: string
  code: number
}

/** Asserts every rule that applies to all errors of the token endpoint. */
export function assertIssuerBody(answer: Pick<Answer, 'text' | 'headers'>): JsonObject {
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json\b/)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('pragma'), 'no-cache')
  const body = parseJson(answer.text) as JsonObject
  assert.deepEqual(
    Object.keys(body).filter((name) => !fields.includes(name)),
    [],
    'only the fields of the specification, section 7.1',
  )
  assert.match(asString(body['error']), describable)
  const codes = asArray(body['error_codes']).map(asInteger)
  const description = asString(body['error_description'])
  assert.match(description, describable)
  const parts =
    /^AADSTS(?<code>\d+): (?<text>.+) Trace ID: (?<trace>\S+) Correlation ID: (?<correlation>\S+) Timestamp: (?<timestamp>.+)$/.exec(
      description,
    )?.groups
  assert.ok(parts, `not of the fixed shape: ${description}`)
  assert.ok(codes.includes(Number(parts['code'])), 'the description includes the error code')
  assert.equal(parts['trace'], asUuid(body['trace_id']))
  assert.equal(parts['correlation'], asUuid(body['correlation_id']))
  assert.equal(Date.parse(parts['timestamp'] ?? ''), asInstant(body['timestamp']))
  assert.equal(answer.headers.get('x-request-id'), body['trace_id'])
  if (codes.includes(70003)) assert.ok(!('error_uri' in body), '70003 has no error_uri')
  else assert.match(asString(body['error_uri']), addressable)
  return body
}

/** One row of the issuer's error table. */
export function assertIssuerError(answer: Answer, { status, error, code }: ExpectedError): JsonObject {
  const seen = `${answer.status} ${answer.text}`
  assert.equal(answer.status, status, seen)
  const body = assertIssuerBody(answer)
  assert.equal(body['error'], error, seen)
  assert.deepEqual(body['error_codes'], [code], seen)
  return body
}

/** The rows, by cause. */
export const issuerErrors = {
  notPost: { status: 400, error: 'invalid_request', code: 900561 },
  unusable: { status: 400, error: 'invalid_request', code: 9002313 },
  missingParameter: { status: 400, error: 'invalid_request', code: 900144 },
  unsupportedGrant: { status: 400, error: 'unsupported_grant_type', code: 70003 },
  noSecret: { status: 401, error: 'invalid_client', code: 7000216 },
  unknownClient: { status: 400, error: 'unauthorized_client', code: 700016 },
  disabledClient: { status: 400, error: 'unauthorized_client', code: 7000112 },
  wrongSecret: { status: 401, error: 'invalid_client', code: 7000215 },
  expiredSecret: { status: 401, error: 'invalid_client', code: 7000222 },
  notDefaultScope: { status: 400, error: 'invalid_scope', code: 1002012 },
  notAScope: { status: 400, error: 'invalid_scope', code: 70011 },
  otherResource: { status: 400, error: 'invalid_resource', code: 500011 },
  throttled: { status: 429, error: 'temporarily_unavailable', code: 90055 },
} as const satisfies Record<string, ExpectedError>

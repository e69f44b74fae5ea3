import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as sdk from '../../src/index.ts'
import { catchRejection, startStub } from './stub.ts'

const CLASSES: [number, new (...args: never[]) => sdk.ApiError][] = [
  [400, sdk.BadRequestError],
  [403, sdk.ForbiddenError],
  [404, sdk.NotFoundError],
  [409, sdk.ConflictError],
  [410, sdk.GoneError],
  [418, sdk.ApiError],
  [422, sdk.IdempotencyError],
  [429, sdk.RateLimitError],
  [500, sdk.ServerError],
  [503, sdk.ServerError],
]

describe('an error response', () => {
  for (const [status, Class] of CLASSES)
    test(`with ${status} is a ${Class.name}`, async () => {
      const stub = startStub(() => ({ status }))
      const error = await catchRejection(stub.create({ maxRetries: 0 }).account())
      assert.ok(error instanceof Class && error instanceof sdk.PorticoError)
      assert.equal(error.name, Class.name)
      assert.equal(error.status, status)
      assert.equal(error.code, `http-${status}`)
    })

  test('has the problem, its fields and the request id', async () => {
    const errors = [{ field: 'limit', code: 'out-of-range', message: 'must be from 1 to 1000' }]
    const problem = {
      type: 'https://api.example.com/errors/invalid-request',
      title: 'Invalid request',
      status: 400,
      detail: 'The query is invalid.',
      instance: '/v2/spaces',
      traceId: '3f2a',
      errors,
    }
    const stub = startStub(() => ({ status: 400, headers: { 'x-request-id': '3f2a' }, body: problem }))
    const error = await catchRejection(stub.create().account())
    assert.ok(error instanceof sdk.BadRequestError)
    assert.equal(error.code, 'invalid-request')
    assert.equal(error.message, 'The query is invalid. [limit: must be from 1 to 1000] (request 3f2a)')
    assert.deepEqual(error.errors, errors)
    assert.deepEqual(error.problem, problem)
  })

  test('with 410 names the successor', async () => {
    const stub = startStub(() => ({
      status: 410,
      headers: { link: '</v2/spaces/{spaceuuid}/overview>; rel="successor-version"' },
    }))
    const error = await catchRejection(stub.create().account())
    assert.equal((error as sdk.GoneError).successor, '/v2/spaces/{spaceuuid}/overview')
  })

  test('that is not JSON is an error too', async () => {
    const stub = startStub(() => ({ status: 502, body: '<html>Bad gateway</html>' }))
    const error = await catchRejection(stub.create({ maxRetries: 0 }).account())
    assert.ok(error instanceof sdk.ServerError)
    assert.equal(error.message, 'The server answered with 502.')
  })

  test('to a good request, a web page is a ConnectionError', async () => {
    const stub = startStub(() => ({
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: '<p>Sign in',
    }))
    const error = await catchRejection(stub.create().account())
    assert.ok(error instanceof sdk.ConnectionError)
    assert.match(error.message, /web page/)
  })

  test('to a good request, a body that is not JSON is a ConnectionError', async () => {
    const stub = startStub(() => ({ body: '<html>' }))
    assert.ok((await catchRejection(stub.create().account())) instanceof sdk.ConnectionError)
  })
})

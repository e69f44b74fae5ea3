import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { toUserAgent } from '../../src/client.ts'
import type { DeprecationInfo, RequestInfo, ResponseInfo } from '../../src/index.ts'
import { startStub } from './stub.ts'

describe('hooks', () => {
  test('see each request without its credentials, and each response', async () => {
    const stub = startStub(() => ({ headers: { 'x-request-id': '3f2a' } }))
    const requests: RequestInfo[] = []
    const responses: ResponseInfo[] = []
    await stub
      .create({ onRequest: (info) => requests.push(info), onResponse: (info) => responses.push(info) })
      .account()
    assert.deepEqual(
      requests.map(({ url, headers }) => [url, headers['authorization']]),
      [['http://stub.test/v2/account', 'Bearer …']],
    )
    assert.ok(!JSON.stringify(requests).includes('token-0'))
    assert.deepEqual([responses[0]?.status, responses[0]?.requestId], [200, '3f2a'])
  })

  test('that throw are ignored and reported once', async () => {
    const stub = startStub(() => ({}))
    const warn = mock.method(console, 'warn', () => {})
    try {
      const portico = stub.create({
        onRequest: () => {
          throw new Error('broken hook')
        },
      })
      await portico.account()
      await portico.account()
      assert.equal(warn.mock.callCount(), 1)
      assert.match(String(warn.mock.calls[0]?.arguments[0]), /onRequest threw.*broken hook/)
    } finally {
      warn.mock.restore()
    }
  })

  test('that reject later do not end the program, and are reported once', async () => {
    const stub = startStub(() => ({}))
    const warn = mock.method(console, 'warn', () => {})
    try {
      // oxlint-disable-next-line typescript/no-misused-promises -- a program may pass an async function
      const portico = stub.create({ onRequest: () => Promise.reject(new Error('broken hook')) })
      await portico.account()
      await portico.account()
      assert.deepEqual(
        warn.mock.calls.map(({ arguments: [message] }) => message as string),
        ['[portico] The hook onRequest threw: Error: broken hook'],
      )
    } finally {
      warn.mock.restore()
    }
  })

  test('learn once of an endpoint that ends, with its successor', async () => {
    const stub = startStub(() => ({
      headers: {
        deprecation: '@1767225600',
        sunset: 'Thu, 31 Dec 2026 23:59:59 GMT',
        link: '<https://api.example.com/docs>; rel="deprecation", </v3/spaces>; rel="successor-version"',
      },
    }))
    const infos: DeprecationInfo[] = []
    const portico = stub.create({ onDeprecation: (info) => infos.push(info) })
    await portico.site().spaces.overview('a')
    await portico.site().spaces.overview('b')
    assert.deepEqual(infos, [
      {
        method: 'GET',
        path: '/spaces/{spaceUuid}/overview',
        deprecatedAt: new Date('2026-01-01T00:00:00Z'),
        sunsetAt: new Date('2026-12-31T23:59:59Z'),
        successor: '/v3/spaces',
      },
    ])
  })
})

describe('the secret', () => {
  const days = (count: number): string => new Date(Date.now() + count * 86_400_000).toISOString()
  const warningsFor = async (...expiries: string[]): Promise<{ warnings: string[]; requests: number }> => {
    const body = { name: 'Example Energy', secrets: expiries.map((expiresAt) => ({ expiresAt })) }
    const stub = startStub(() => ({ body }))
    const warnings: string[] = []
    const options = { warnBeforeExpiry: true, onWarning: (message: string) => void warnings.push(message) }
    await stub.create(options).request('GET', '/metric-types')
    await stub.create(options).request('GET', '/metric-types')
    // The check runs in the background and loads this module.
    await import('../../src/expiry.ts')
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
    return { warnings, requests: stub.seen.filter(({ path }) => path === '/account').length }
  }

  test('that expires within 30 days is reported once in a process', async () => {
    const { warnings, requests } = await warningsFor(days(-1), days(20))
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /secret of Example Energy expires on \d{4}-\d\d-\d\d, in 20 days/)
    assert.equal(requests, 1)
  })

  test('that expires within a day is reported without a number of days', async () => {
    assert.match((await warningsFor(days(0.5))).warnings[0] ?? '', /, within a day, /)
  })

  test('is not reported if a newer one exists', async () => {
    assert.deepEqual((await warningsFor(days(20), days(200))).warnings, [])
  })
})

test('a browser and its workers set the User-Agent themselves', () => {
  assert.deepEqual(toUserAgent({ appInfo: { name: 'example-energy' } }, {}), {})
})

test('the User-Agent names the SDK, the runtime and the program', async () => {
  const stub = startStub(() => ({}))
  await stub.create({ appInfo: { name: 'example-energy', version: '1.4' } }).account()
  assert.match(
    stub.seen[0]?.headers.get('user-agent') ?? '',
    /^portico-sdk\/\d+\.\d+ (node|deno|bun)\/\d+\.\d+ \(example-energy\/1\.4\)$/,
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryCache } from '../../src/index.ts'
import { SITE, SPACE, startStub } from './stub.ts'

describe('the cache', () => {
  test('returns the body of the first response while the server answers 304', async () => {
    const stub = startStub(({ headers }) =>
      headers.get('if-none-match') === '"1"'
        ? { status: 304, headers: { etag: '"1"' } }
        : { headers: { etag: '"1"' }, body: { value: 7 } },
    )
    const portico = stub.create({ cache: memoryCache() })
    const first = await portico.request<{ value: number }>('GET', '/spaces', { siteId: SITE })
    first.value = 8
    const { data, response } = await portico.request('GET', '/spaces', { siteId: SITE }).withResponse()
    assert.deepEqual(data, { value: 7 })
    assert.equal(response.status, 304)
  })

  test('also keeps what is not JSON', async () => {
    const stub = startStub(({ headers }) =>
      headers.get('if-none-match') === '"1"'
        ? { status: 304, headers: { etag: '"1"' } }
        : { headers: { etag: '"1"', 'content-type': 'text/csv' }, body: 'timestamp,value\r\n' },
    )
    const portico = stub.create({ cache: memoryCache() })
    const headers = { accept: 'text/csv' }
    for (const status of [200, 304]) {
      const { data, response } = await portico.request('GET', '/spaces', { headers }).withResponse()
      assert.equal(data, 'timestamp,value\r\n')
      assert.equal(response.status, status)
    }
  })

  test('keeps sites and clients apart', async () => {
    const stub = startStub(() => ({ headers: { etag: '"1"' }, body: {} }))
    const cache = memoryCache()
    await stub.create({ cache }).site().spaces.overview(SPACE)
    await stub.create({ cache }).site('00000000-0000-4000-8000-000000000000').spaces.overview(SPACE)
    await stub.create({ cache, clientId: 'another' }).site().spaces.overview(SPACE)
    assert.ok(stub.seen.every(({ headers }) => !headers.has('if-none-match')))
  })

  test('is off by default', async () => {
    const stub = startStub(() => ({ headers: { etag: '"1"' } }))
    const portico = stub.create()
    await portico.account()
    await portico.account()
    assert.ok(!stub.seen[1]?.headers.has('if-none-match'))
  })
})

describe('memoryCache', () => {
  const entry = (length: number) => ({ etag: '', body: 'x'.repeat(length) })

  test('evicts what was not used for the longest time', () => {
    const cache = memoryCache({ maxBytes: 60 })
    cache.set('a', entry(9))
    cache.set('b', entry(9))
    cache.set('c', entry(9))
    cache.get('a')
    cache.set('d', entry(9))
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].filter((key) => cache.get(key)),
      ['a', 'c', 'd'],
    )
  })

  test('does not keep what exceeds it', () => {
    const cache = memoryCache({ maxBytes: 60 })
    cache.set('a', entry(9))
    cache.set('b', entry(100))
    assert.ok(cache.get('a'))
    assert.equal(cache.get('b'), undefined)
  })
})

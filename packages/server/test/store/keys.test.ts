import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { createSigningKey } from '../../src/domain/identity/token/keys.ts'
import { BACKENDS } from '../support/backends.ts'
import { entry, NOON } from '../support/seed.ts'

const KEEP = { revokePrevious: false, removeRetiredBefore: 0 }

for (const backend of BACKENDS) {
  describe(`signing keys on ${backend.name}`, () => {
    test('of several first keys added concurrently, one is stored', async (t) => {
      const store = await backend.open(t)
      const keys = await Promise.all([1, 2, 3].map(() => createSigningKey('ES256', NOON)))
      await Promise.all(keys.map((key) => store.keys.addFirst(key)))
      const [stored, ...others] = await store.keys.list()
      assert.ok(keys.some((key) => isDeepStrictEqual(key, stored)))
      assert.equal(others.length, 0)
    })

    test('a first key of another algorithm retires the one before', async (t) => {
      const store = await backend.open(t)
      await store.keys.addFirst(await createSigningKey('ES256', NOON))
      await store.keys.addFirst(await createSigningKey('RS256', NOON + 1))
      const keys = await store.keys.list()
      assert.deepEqual(
        keys.map(({ algorithm, retiredAt }) => [algorithm, retiredAt]),
        [
          ['RS256', null],
          ['ES256', NOON + 1],
        ],
      )
    })

    test('rotation retires the current key and removes those retired long ago', async (t) => {
      const store = await backend.open(t)
      const [first, second, third] = await Promise.all(
        [NOON, NOON + 1_000, NOON + 2_000].map((at) => createSigningKey('ES256', at)),
      )
      assert.ok(first && second && third)
      await store.keys.addFirst(first)
      await store.keys.rotate(second, KEEP, entry())
      assert.deepEqual(
        (await store.keys.list()).map(({ kid, retiredAt }) => [kid, retiredAt]),
        [
          [second.kid, null],
          [first.kid, NOON + 1_000],
        ],
      )
      await store.keys.rotate(third, { revokePrevious: false, removeRetiredBefore: NOON + 1_001 }, entry())
      assert.deepEqual(
        (await store.keys.list()).map(({ kid }) => kid),
        [third.kid, second.kid],
      )
    })

    test('revoking leaves only the new key', async (t) => {
      const store = await backend.open(t)
      await store.keys.addFirst(await createSigningKey('ES256', NOON))
      const next = await createSigningKey('ES256', NOON + 1)
      await store.keys.rotate(next, { ...KEEP, revokePrevious: true }, entry())
      assert.deepEqual(await store.keys.list(), [next])
    })
  })
}

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BACKENDS } from '../support/backends.ts'
import { entry } from '../support/seed.ts'

const at = { method: 'GET', path: '/tenant/logo' }
const other = { method: 'GET', path: '/spaces/tip/{spaceId}' }

for (const backend of BACKENDS) {
  describe(`the lifecycle of version 1 on ${backend.name}`, () => {
    test('an omitted field is unchanged, null clears it', async (t) => {
      const { lifecycle, audit } = await backend.open(t)
      const blackouts = [{ from: 3, to: 4 }]
      await lifecycle.change([{ change: { ...at, deprecatedAt: 1, sunsetAt: 2, blackouts }, entry: entry() }])
      await lifecycle.change([
        { change: { ...at, sunsetAt: null }, entry: entry() },
        { change: { ...other, blackouts: null }, entry: entry() },
      ])
      const rows = new Map((await lifecycle.list()).map((row) => [row.path, row]))
      assert.deepEqual(rows.get(at.path), { ...at, deprecatedAt: 1, sunsetAt: null, blackouts })
      assert.deepEqual(rows.get(other.path), { ...other, deprecatedAt: null, sunsetAt: null, blackouts: [] })
      assert.equal((await audit.list({ before: undefined, limit: 10 })).length, 3)
    })
  })
}

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { V1_CATALOGUE } from '../../../../src/domain/v1-lifecycle/catalogue.ts'
import { migrationGuide } from '../../../../src/domain/v1-lifecycle/guide.ts'
import { GUIDE_EXAMPLES } from '../../../../src/domain/v1-lifecycle/guide-examples.ts'

test('docs/api/migration.md matches the catalogue', () => {
  const file = new URL('../../../../../../docs/api/migration.md', import.meta.url)
  assert.equal(readFileSync(file, 'utf8'), migrationGuide())
})

test('exactly the replaced endpoints have an example', () => {
  const replaced = V1_CATALOGUE.filter(({ state }) => state === 'replaced').map(({ path }) => path)
  assert.deepEqual(Object.keys(GUIDE_EXAMPLES), replaced)
})

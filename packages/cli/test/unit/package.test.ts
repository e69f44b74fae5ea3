import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Lock, missingEntries } from '../../../../scripts/complete-lock.ts'

type Manifest = { dependencies: Record<string, string> }

const read = (name: string): Manifest =>
  JSON.parse(readFileSync(new URL(`../../../${name}/package.json`, import.meta.url), 'utf8')) as Manifest

test('the published package lists, in the same versions, what the packages it carries depend on', () => {
  const carried = Object.entries({ ...read('wire').dependencies, ...read('server').dependencies })
  const published = read('cli').dependencies
  for (const [name, version] of carried.filter(([known]) => !known.startsWith('@portico/'))) {
    assert.equal(published[name], version, name)
  }
})

test('the lock file names the binary packages of every platform: npm run lock', () => {
  const file = new URL('../../../../package-lock.json', import.meta.url)
  assert.deepEqual(missingEntries(JSON.parse(readFileSync(file, 'utf8')) as Lock), [])
})

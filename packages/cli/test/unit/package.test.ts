import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

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

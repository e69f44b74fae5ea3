import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  entriesWithoutHash,
  type Lock,
  missingEntries,
  sortEntries,
} from '../../../../scripts/fix-lockfile.ts'

type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>>

const read = (name: string): Manifest =>
  JSON.parse(readFileSync(new URL(`../../../${name}/package.json`, import.meta.url), 'utf8')) as Manifest

test('the published package installs or bundles the dependencies of the workspace packages, in the same versions', () => {
  const carried = Object.entries({
    ...read('wire').dependencies,
    ...read('server').dependencies,
    ...read('demo').dependencies,
  })
  // Development dependencies are bundled: scripts/emit-package.ts.
  const { dependencies, devDependencies } = read('cli')
  const published = { ...dependencies, ...devDependencies }
  for (const [name, version] of carried.filter(([known]) => !known.startsWith('@portico/'))) {
    assert.equal(published[name], version, name)
  }
})

const loadLock = (folder: string): Lock =>
  JSON.parse(readFileSync(new URL(`../../../../${folder}package-lock.json`, import.meta.url), 'utf8')) as Lock
const lock = loadLock('')

for (const folder of ['', 'acceptance/runtimes/']) {
  test(`${folder}package-lock.json names the binary packages of every platform: npm run lock`, () => {
    assert.deepEqual(missingEntries(loadLock(folder)), [])
  })

  test(`${folder}package-lock.json has a hash for every package: npm run lock`, () => {
    assert.deepEqual(
      entriesWithoutHash(loadLock(folder)).map(([path]) => path),
      [],
    )
  })

  test(`${folder}package-lock.json has the order of npm, which otherwise changes it: npm run lock`, () => {
    const listed = loadLock(folder)
    assert.deepEqual(
      Object.keys(listed.packages),
      sortEntries(listed).map(([path]) => path),
    )
  })
}

test('no package with an install script is part of a production install', () => {
  const scripts = Object.entries(lock.packages).filter(([, entry]) => entry.hasInstallScript === true)
  assert.deepEqual(
    scripts.filter(([, entry]) => entry.dev !== true).map(([path]) => path),
    [],
  )
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  entriesWithoutHash,
  type Entry,
  type Lock,
  missingEntries,
} from '../../../../scripts/complete-lock.ts'

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

const lock = JSON.parse(
  readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8'),
) as Lock

test('the lock file names the binary packages of every platform: npm run lock', () => {
  assert.deepEqual(missingEntries(lock), [])
})

/** Platforms that this project is developed, tested and run on. */
const isTestedPlatform = ({ os = [], cpu = [], libc = [] }: Entry): boolean =>
  os.includes('linux') && (cpu.includes('x64') || cpu.includes('arm64')) && !libc.includes('musl')

test('the lock file has a hash of every package: npm run lock', () => {
  // A mirror may lack development tools of other platforms, and only the registry that has them knows their hashes.
  const isToolOfOtherPlatform = (entry: Entry): boolean =>
    entry.dev === true && entry.optional === true && entry.os !== undefined && !isTestedPlatform(entry)
  const unverified = entriesWithoutHash(lock).filter(([, entry]) => !isToolOfOtherPlatform(entry))
  assert.deepEqual(
    unverified.map(([path]) => path),
    [],
  )
})

test('no package with an install script is part of a production install', () => {
  const scripts = Object.entries(lock.packages).filter(([, entry]) => entry.hasInstallScript === true)
  assert.deepEqual(
    scripts.filter(([, entry]) => entry.dev !== true).map(([path]) => path),
    [],
  )
})

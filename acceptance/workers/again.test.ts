import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** Parts of the suite in which something is remembered, counted or handed over, on servers with two workers. */
const FILES = [
  'token/rate-limit',
  'token/equivalent-requests',
  'v2/access',
  'v2/rate-limit',
  'control/delivery',
  'control/sandbox',
  'migration/usage',
  'operator/disable',
  'operator/keys',
  'readings/http',
  'v1/retirement',
  'clients/tls',
]

for (const file of FILES) {
  test(`${file} holds on two workers`, () => {
    // As a run of its own: the runner around this one would take its report for part of this file's.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const path = fileURLToPath(new URL(`../${file}.test.ts`, import.meta.url))
    const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', path], {
      encoding: 'utf8',
      env: { ...env, PORTICO_WORKERS: '2' },
    })
    assert.equal(status, 0, stdout)
  })
}

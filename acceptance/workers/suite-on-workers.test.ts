import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { killAtExit } from '../support/servers/kill-at-exit.ts'
import { startSharedDemo } from '../support/servers/shared-demo.ts'
import { everyServerHasWorkers } from '../support/servers/workers.ts'

/** Parts of the suite that test caches, counters and forwarded writes, on servers with two workers. */
const FILES = [
  'token/rate-limit',
  'token/equivalent-requests',
  'v2/access',
  'v2/rate-limit',
  'v2/warnings',
  'control/delivery',
  'control/sandbox',
  'migration/usage',
  'operator/disable',
  'operator/keys',
  'readings/http',
  'v1/retirement',
  'clients/tls',
]

everyServerHasWorkers(2)
const shared = await startSharedDemo()
after(() => shared.stop())

describe('on two workers', { concurrency: 2 }, () => {
  for (const file of FILES) {
    test(`${file} passes on two workers`, async () => {
      // Started as an independent run: otherwise the enclosing runner would treat its report as part of this file's.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env
      const path = fileURLToPath(new URL(`../${file}.test.ts`, import.meta.url))
      const child = killAtExit(
        spawn(process.execPath, ['--test', '--test-force-exit', '--test-reporter=spec', path], {
          stdio: ['ignore', 'pipe', 'inherit'],
          env: { ...env, ...shared.env },
        }),
      )
      const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
      assert.equal(child.exitCode, 0, output)
    })
  }
})

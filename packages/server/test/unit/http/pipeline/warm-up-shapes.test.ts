import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PROGRAM = fileURLToPath(new URL('../../../support/shapes.ts', import.meta.url))
const run = promisify(execFile)

test('requests keep fast properties if garbage is collected among the first ones', async () => {
  for (const first of [1, 2, 3, 4, 5, 6, 7]) {
    const flags = ['--expose-gc', '--allow-natives-syntax']
    const { stdout } = await run(process.execPath, [...flags, PROGRAM, String(first)])
    assert.deepEqual(JSON.parse(stdout), { request: true, response: true }, `after ${first} requests`)
  }
})

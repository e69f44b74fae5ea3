import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { runtimePaths } from '../support/servers/runtimes.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'

const exec = promisify(execFile)
const UNIT_TESTS = fileURLToPath(new URL('../../packages/sdk/test/unit', import.meta.url))
/** The types of the SDK are the same on every runtime. */
const COMPILE_TIME = 'types.test.ts'

let folder: string
let files: string[]
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portico-sdk-unit-'))
  const tests = globSync('*.test.ts', { cwd: UNIT_TESTS }).filter((file) => file !== COMPILE_TIME)
  // Node 20 does not run TypeScript. The syntax is that of the published package.
  await build({
    entryPoints: tests.map((file) => join(UNIT_TESTS, file)),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  })
  files = tests.map((file) => join(folder, `${basename(file, '.ts')}.mjs`))
})
after(() => rm(folder, { recursive: true, force: true }))

const runtimes: [name: string, command: string, args: string[], passed: RegExp][] = [
  ['Node 20', runtimePaths.node20, ['--test'], /^# pass (\d+)$/m],
  ['Deno', runtimePaths.deno, ['test', '-A', '--no-check'], /(\d+) steps\) \| 0 failed/],
  ['Bun', runtimePaths.bun, ['test'], /^ *(\d+) pass$/m],
]

for (const [name, command, args, passed] of runtimes)
  test(`the unit tests of the SDK pass on ${name}`, { skip: skipWithout(testTools.runtimes) }, async () => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, NO_COLOR: '1' }
    const { stdout, stderr } = await exec(command, [...args, ...files], { cwd: folder, env }).catch(
      (error: unknown) => assert.fail(describeFailure(error)),
    )
    const [, count] = passed.exec(`${stdout}${stderr}`) ?? []
    assert.ok(Number(count) > 100, `${stdout}${stderr}`)
  })

function describeFailure(error: unknown): string {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
  return `${stdout}${stderr}${String(error)}`
}

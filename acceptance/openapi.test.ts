import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, test } from 'node:test'
import { asObject, parseJson } from './support/json.ts'
import { findUndescribed } from './support/oracles/openapi-descriptions.ts'
import { checkExamples } from './support/oracles/openapi-examples.ts'
import { runPortico } from './support/servers/portico.ts'

const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url))
/** Folder of a package's dependencies that npm cannot hoist. */
const OWN_MODULES = fileURLToPath(new URL('node_modules', import.meta.url))
const DOCUMENTS = ['v2', 'v1', 'operator']

/** The paths of version 1 are the specification's. They are unambiguous, because an identifier is never a word. */
const SKIPPED_RULES: Record<string, string[]> = { v1: ['--skip-rule', 'no-ambiguous-paths'] }

let folder = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portico-openapi-'))
  await symlink(MODULES, join(folder, 'node_modules'))
  for (const name of DOCUMENTS) {
    const { stdout } = await runPortico(['openapi', name, '--public-url', 'https://api.portico.test'])
    await writeFile(join(folder, `${name}.json`), stdout)
  }
})
after(() => rm(folder, { recursive: true, force: true }))

/** Runs the command of a development dependency in the folder of the documents. */
function run(program: string, ...args: string[]): void {
  const own = join(OWN_MODULES, '.bin', program)
  const shared = join(MODULES, '.bin', program)
  const result = spawnSync(existsSync(shared) ? shared : own, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  assert.equal(result.status, 0, `${program} ${args.join(' ')}\n${result.stdout}${result.stderr}`)
  assert.doesNotMatch(result.stdout + result.stderr, /\d+ warnings?/)
}

for (const name of DOCUMENTS) {
  describe(`the OpenAPI document ${name}`, () => {
    test('passes the recommended lint rules', () =>
      run('redocly', 'lint', `${name}.json`, ...(SKIPPED_RULES[name] ?? [])))

    test('generates types that compile', () => {
      run('openapi-typescript', `${name}.json`, '-o', `${name}.ts`)
      const strict = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024']
      run('tsc', ...strict, `${name}.ts`)
    })

    const read = async () => asObject(parseJson(await readFile(join(folder, `${name}.json`), 'utf8')))

    test('describes everything, with an example of every parameter', async () => {
      const { checked, undescribed } = findUndescribed(await read())
      assert.deepEqual(undescribed, [])
      assert.ok(checked > 500, `${checked} descriptions`)
    })

    test('has only examples that are valid', async () => {
      const document = await read()
      const { checked, invalid } = checkExamples(document)
      assert.deepEqual(invalid, [])
      assert.ok(checked > 100, `${checked} examples`)
    })
  })
}

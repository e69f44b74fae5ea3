import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const SCRIPT = join(import.meta.dirname, '../../../../scripts/build-console.ts')

test('two builds produce the same bytes', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-console-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const build = (name: string): Map<string, string> => {
    const out = join(folder, name)
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--out', out], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    return new Map(
      readdirSync(out)
        .toSorted()
        .map((file) => [file, readFileSync(join(out, file), 'base64')]),
    )
  }
  const first = build('first')
  assert.ok(first.has('manifest.json') && first.has('LICENSES.txt'))
  assert.deepEqual(build('second'), first)
})

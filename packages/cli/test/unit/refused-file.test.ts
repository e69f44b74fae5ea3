import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createRefusedFile } from '../../src/import/refused-file.ts'

const HEADER = 'line,code,message\n'
const REFUSAL = { code: 'malformed', message: 'The line is not a JSON object.' }
const toRow = (line: number): string => `${line},malformed,"The line is not a JSON object."\n`

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'portico-refused-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('the list of a resumed import has a header, even if the first run refused nothing', (t) => {
  const folder = newFolder(t)
  assert.equal(createRefusedFile(folder, 'readings.csv', 0).close(), undefined)
  const refused = createRefusedFile(folder, 'readings.csv', 5)
  refused.add({ line: 7, ...REFUSAL })
  assert.equal(readFileSync(refused.close() ?? '', 'utf8'), HEADER + toRow(7))
})

test('a resumed import that refuses nothing still names the list of the first run', (t) => {
  const folder = newFolder(t)
  const first = createRefusedFile(folder, 'readings.csv', 0)
  first.add({ line: 2, ...REFUSAL })
  // Killed after this: the lines up to here are not read again.
  first.flush()
  const path = createRefusedFile(folder, 'readings.csv', 2).close()
  assert.equal(readFileSync(path ?? '', 'utf8'), HEADER + toRow(2))
})

test('another import of the file replaces the list', (t) => {
  const folder = newFolder(t)
  for (const line of [2, 3]) {
    const refused = createRefusedFile(folder, 'readings.csv', 0)
    refused.add({ line, ...REFUSAL })
    assert.equal(readFileSync(refused.close() ?? '', 'utf8'), HEADER + toRow(line))
  }
})

test('a resumed import lists the lines that both runs refused once', (t) => {
  const folder = newFolder(t)
  const first = createRefusedFile(folder, 'readings.csv', 0)
  first.add({ line: 2, ...REFUSAL })
  first.flush()
  // Written ahead of the checkpoint, which is at line 9; the last one was cut off.
  for (const line of [9, 10, 11]) first.add({ line, ...REFUSAL })
  const path = first.close() ?? ''
  appendFileSync(path, '1')
  const resumed = createRefusedFile(folder, 'readings.csv', 9)
  for (const line of [10, 11, 12]) resumed.add({ line, ...REFUSAL })
  assert.equal(readFileSync(resumed.close() ?? '', 'utf8'), HEADER + [2, 9, 10, 11, 12].map(toRow).join(''))
})

test('a resumed import names no list if all refused lines are read again', (t) => {
  const folder = newFolder(t)
  const first = createRefusedFile(folder, 'readings.csv', 0)
  first.add({ line: 7, ...REFUSAL })
  first.close()
  assert.equal(createRefusedFile(folder, 'readings.csv', 5).close(), undefined)
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { beginWriting, openWriter } from '../../src/store/sqlite/connect.ts'
import { packBatch } from '../../src/store/sqlite/journal-batch.ts'
import { journalOf } from '../../src/store/sqlite/journal.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'

test('who begins to write knows what another process has written just before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-'))
  const [one, other] = [openWriter(join(folder, 'portico.db')), openWriter(join(folder, 'portico.db'))]
  try {
    migrate(one)
    assert.equal(journalOf(one).hot().size, 0)
    beginWriting(other)
    journalOf(other).append(packBatch([{ seriesId: 7, timestamps: [1_000], values: [20] }]))
    other.exec('COMMIT')
    beginWriting(one)
    assert.deepEqual(journalOf(one).hot().newest(7), { at: 1_000, value: 20 })
    one.exec('COMMIT')
  } finally {
    one.close()
    other.close()
    rmSync(folder, { recursive: true })
  }
})

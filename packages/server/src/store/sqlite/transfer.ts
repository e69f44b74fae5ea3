import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../lib/clock.ts'
import type { Position, TransferStore, UnfinishedCopy } from '../transfer.ts'
import { prepared } from './connect.ts'
import { translateErrors } from './failure.ts'
import { cursorKeyOf } from './installation.ts'
import { text, textOrNull } from './row.ts'
import { readRows } from './transfer-read.ts'
import type { Writer } from './writer.ts'

export const sqliteTransfer = (reader: () => DatabaseSync, writer: Writer): TransferStore => ({
  identity: async () =>
    translateErrors(() => createHash('sha256').update(cursorKeyOf(reader())).digest('hex')),
  prepareReading: () => writer.run('packJournal', systemClock.now()),
  read: async (table, scope, after, limit) =>
    translateErrors(() => readRows(reader(), table, scope, after, limit)),
  canKeep: () => true,
  unfinished: async () => translateErrors(() => unfinishedCopy(reader())),
  begin: (source) => writer.run('beginCopy', source),
  write: ({ name }, rows, position) => writer.run('writeCopied', name, rows, position),
  settleCopy: () => writer.run('settleCopy', systemClock.now()),
  complete: () => writer.run('completeCopy'),
})

function unfinishedCopy(db: DatabaseSync): UnfinishedCopy | undefined {
  const row = prepared(db, 'SELECT source, position FROM unfinished_copy').get()
  if (!row) return undefined
  const position = textOrNull(row, 'position')
  return {
    source: text(row, 'source'),
    position: position === null ? undefined : (JSON.parse(position) as Position),
  }
}

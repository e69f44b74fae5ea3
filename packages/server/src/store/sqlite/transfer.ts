import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { parsePosition, type TransferStore, type UnfinishedCopy } from '../transfer.ts'
import { prepareOnce } from './connect.ts'
import { translateErrors } from './failure.ts'
import { getInstallationKey } from './installation.ts'
import { text, textOrNull } from './row.ts'
import { readRows } from './transfer-read.ts'
import { type BoundWrites, withWrites } from './writer.ts'

export const sqliteTransfer = (reader: () => DatabaseSync, writes: BoundWrites<'transfer'>): TransferStore =>
  withWrites<TransferStore, 'transfer'>(writes, {
    identity: async () =>
      translateErrors(() => createHash('sha256').update(getInstallationKey(reader())).digest('hex')),
    read: async (table, scope, after, limit) =>
      translateErrors(() => readRows(reader(), table, scope, after, limit)),
    canStoreText: () => true,
    unfinished: async () => translateErrors(() => unfinishedCopy(reader())),
  })

function unfinishedCopy(db: DatabaseSync): UnfinishedCopy | undefined {
  const row = prepareOnce(db, 'SELECT source, position FROM unfinished_copy').get()
  if (!row) return undefined
  const position = textOrNull(row, 'position')
  return {
    source: text(row, 'source'),
    position: position === null ? undefined : parsePosition(position),
  }
}

import type { DatabaseSync } from 'node:sqlite'
import type { ServerAddresses } from '../store.ts'
import { prepareOnce } from './connect.ts'
import { blob, flag, type Row, textOrNull } from './row.ts'

const row = (db: DatabaseSync): Row => {
  const found = prepareOnce(db, 'SELECT * FROM installation').get()
  if (!found) throw new Error('The installation row is missing.')
  return found
}

export const getInstallationKey = (db: DatabaseSync): Uint8Array => blob(row(db), 'cursor_key')

export const isDemo = (db: DatabaseSync): boolean => flag(row(db), 'is_demo')

export const getServerAddresses = (db: DatabaseSync): ServerAddresses | undefined => {
  const stored = textOrNull(row(db), 'server_addresses')
  return stored === null ? undefined : (JSON.parse(stored) as ServerAddresses)
}

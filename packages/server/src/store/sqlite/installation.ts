import type { DatabaseSync } from 'node:sqlite'
import { prepared } from './connect.ts'
import { blob, flag, type Row } from './row.ts'

const row = (db: DatabaseSync): Row => {
  const found = prepared(db, 'SELECT * FROM installation').get()
  if (!found) throw new Error('The installation row is missing.')
  return found
}

export const cursorKeyOf = (db: DatabaseSync): Uint8Array => blob(row(db), 'cursor_key')

export const isDemo = (db: DatabaseSync): boolean => flag(row(db), 'is_demo')

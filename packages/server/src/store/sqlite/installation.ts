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

export const installationWrites = {
  becomeDemo(db: DatabaseSync): boolean {
    const isEmpty = !prepared(db, 'SELECT 1 FROM sites UNION ALL SELECT 1 FROM partners LIMIT 1').get()
    if (isEmpty) prepared(db, 'UPDATE installation SET is_demo = 1').run()
    return isDemo(db)
  },
}

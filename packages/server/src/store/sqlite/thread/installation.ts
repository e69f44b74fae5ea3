import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../connect.ts'
import { isDemo } from '../installation.ts'

export const installationWrites = {
  becomeDemo(db: DatabaseSync): boolean {
    const isEmpty = !prepared(db, 'SELECT 1 FROM sites UNION ALL SELECT 1 FROM partners LIMIT 1').get()
    if (isEmpty) prepared(db, 'UPDATE installation SET is_demo = 1').run()
    return isDemo(db)
  },
}

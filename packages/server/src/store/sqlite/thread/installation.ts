import type { DatabaseSync } from 'node:sqlite'
import type { ServerAddresses } from '../../store.ts'
import { prepareOnce } from '../connect.ts'
import { isDemo } from '../installation.ts'

export const installationWrites = {
  markAsDemo(db: DatabaseSync): boolean {
    const isEmpty = !prepareOnce(db, 'SELECT 1 FROM sites UNION ALL SELECT 1 FROM partners LIMIT 1').get()
    if (isEmpty) prepareOnce(db, 'UPDATE installation SET is_demo = 1').run()
    return isDemo(db)
  },
  recordServer(db: DatabaseSync, addresses: ServerAddresses): void {
    prepareOnce(db, 'UPDATE installation SET server_addresses = ?').run(JSON.stringify(addresses))
  },
}

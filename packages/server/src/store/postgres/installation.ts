import type { ServerAddresses } from '../store.ts'
import type { Database } from './pool/connect.ts'

interface Installation {
  cursor_key: Uint8Array
  is_demo: boolean
}

const loadInstallation = (db: Database): Promise<Installation> =>
  db.read(async (sql) => {
    const [row] = await sql<Installation[]>`SELECT cursor_key, is_demo FROM installation`
    if (!row) throw new Error('The installation row is missing.')
    return row
  })

export const loadInstallationKey = async (db: Database): Promise<Uint8Array> =>
  (await loadInstallation(db)).cursor_key

export const isDemo = async (db: Database): Promise<boolean> => (await loadInstallation(db)).is_demo

export const markAsDemo = (db: Database): Promise<boolean> =>
  db.write(async (sql) => {
    const [row] = await sql<Installation[]>`SELECT cursor_key, is_demo FROM installation FOR UPDATE`
    if (row?.is_demo) return true
    const inUse = await sql`(SELECT 1 FROM sites LIMIT 1) UNION ALL (SELECT 1 FROM partners LIMIT 1)`
    if (inUse.length === 0) await sql`UPDATE installation SET is_demo = true WHERE id = 1`
    return inUse.length === 0
  })

export const loadServerAddresses = (db: Database): Promise<ServerAddresses | undefined> =>
  db.read(async (sql) => {
    const [row] = await sql<{ server_addresses: string | null }[]>`SELECT server_addresses FROM installation`
    return row?.server_addresses ? (JSON.parse(row.server_addresses) as ServerAddresses) : undefined
  })

export const recordServer = (db: Database, addresses: ServerAddresses): Promise<void> =>
  db.write(async (sql) => {
    await sql`UPDATE installation SET server_addresses = ${JSON.stringify(addresses)} WHERE id = 1`
  })

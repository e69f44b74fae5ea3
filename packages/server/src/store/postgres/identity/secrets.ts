import type { Secret, StoredSecret } from '../../../domain/identity/partner/secret.ts'
import type { Sql } from '../pool/connect.ts'

interface Row {
  secret_id: string
  hash: Uint8Array
  hint: string
  created_at: number
  expires_at: number
  last_used_at: number | null
}

const fromRow = (row: Row): Secret => ({
  secretId: row.secret_id,
  hint: row.hint,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
})

const selectRows = (sql: Sql, partnerUuid: string) => sql<Row[]>`
  SELECT * FROM partner_secrets WHERE partner_uuid = ${partnerUuid} ORDER BY created_at, secret_id`

export const loadSecrets = async (sql: Sql, partnerUuid: string): Promise<Secret[]> =>
  (await selectRows(sql, partnerUuid)).map(fromRow)

export const loadStoredSecrets = async (sql: Sql, partnerUuid: string): Promise<StoredSecret[]> =>
  (await selectRows(sql, partnerUuid)).map((row) => ({ ...fromRow(row), hash: row.hash }))

export async function secretExpiries(sql: Sql, partnerUuid: string): Promise<number[]> {
  const rows = await sql<{ expires_at: number }[]>`
    SELECT expires_at FROM partner_secrets WHERE partner_uuid = ${partnerUuid}`
  return rows.map((row) => row.expires_at)
}

export async function insertSecret(sql: Sql, partnerUuid: string, secret: StoredSecret): Promise<void> {
  await sql`
    INSERT INTO partner_secrets (secret_id, partner_uuid, hash, hint, created_at, expires_at, last_used_at)
    VALUES (${secret.secretId}, ${partnerUuid}, ${secret.hash}, ${secret.hint}, ${secret.createdAt},
      ${secret.expiresAt}, ${secret.lastUsedAt})`
}

export async function removeSecret(sql: Sql, partnerUuid: string, secretId: string): Promise<boolean> {
  const removed = await sql`
    DELETE FROM partner_secrets WHERE partner_uuid = ${partnerUuid} AND secret_id = ${secretId}`
  return removed.count > 0
}

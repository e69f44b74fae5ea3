import type { JWK } from 'jose'
import { TOKEN_ALGORITHMS } from '../../../domain/identity/token/token.ts'
import type { SigningKey } from '../../../domain/identity/token/keys.ts'
import type { SigningKeyStore } from '../../../domain/identity/token/store.ts'
import { recordAudit } from './audit.ts'
import type { Database, Sql } from '../pool/connect.ts'

interface Row {
  kid: string
  algorithm: string
  private_key: string
  public_jwk: string
  created_at: number
  retired_at: number | null
}

const fromRow = (row: Row): SigningKey => {
  const algorithm = TOKEN_ALGORITHMS.find((known) => known === row.algorithm)
  if (!algorithm) throw new Error('Column algorithm holds an unknown algorithm.')
  return {
    kid: row.kid,
    algorithm,
    privateKey: row.private_key,
    publicJwk: JSON.parse(row.public_jwk) as JWK,
    createdAt: row.created_at,
    retiredAt: row.retired_at,
  }
}

/** Serialises key changes, so that there are never two first keys or two current ones. */
async function lock(sql: Sql): Promise<void> {
  await sql`SELECT 1 FROM installation FOR UPDATE`
}

async function makeCurrent(sql: Sql, key: SigningKey): Promise<void> {
  await sql`
    INSERT INTO signing_keys (kid, algorithm, private_key, public_jwk, created_at, retired_at)
    VALUES (${key.kid}, ${key.algorithm}, ${key.privateKey}, ${JSON.stringify(key.publicJwk)}, ${key.createdAt},
      ${key.retiredAt})`
  await sql`UPDATE signing_keys SET retired_at = ${key.createdAt} WHERE kid <> ${key.kid} AND retired_at IS NULL`
}

export const postgresKeys = (db: Database): SigningKeyStore => ({
  list: () =>
    db.read(async (sql) => {
      const rows = await sql<Row[]>`SELECT * FROM signing_keys ORDER BY created_at DESC, kid`
      return rows.map(fromRow)
    }),
  addFirst: (key) =>
    db.write(async (sql) => {
      await lock(sql)
      const current = await sql`
        SELECT 1 FROM signing_keys WHERE algorithm = ${key.algorithm} AND retired_at IS NULL`
      if (current.length === 0) await makeCurrent(sql, key)
    }),
  rotate: (key, { revokePrevious, removeRetiredBefore }, entry) =>
    db.write(async (sql) => {
      await lock(sql)
      if (revokePrevious) await sql`DELETE FROM signing_keys`
      await sql`DELETE FROM signing_keys WHERE retired_at < ${removeRetiredBefore}`
      await makeCurrent(sql, key)
      await recordAudit(sql, entry)
    }),
})

import type { DatabaseSync } from 'node:sqlite'
import type { JWK } from 'jose'
import type { AuditEntry } from '../../audit/audit.ts'
import { TOKEN_ALGORITHMS } from '../../token/algorithm.ts'
import { type SigningKey } from '../../token/keys.ts'
import type { SigningKeyStore } from '../../token/store.ts'
import { recordAudit } from './audit.ts'
import { prepared } from './connect.ts'
import { translateErrors } from './failure.ts'
import { integer, integerOrNull, type Row, text } from './row.ts'
import type { Writer } from './writer.ts'

const fromRow = (row: Row): SigningKey => {
  const algorithm = TOKEN_ALGORITHMS.find((known) => known === row['algorithm'])
  if (!algorithm) throw new Error('Column algorithm holds an unknown algorithm.')
  return {
    kid: text(row, 'kid'),
    algorithm,
    privateKey: text(row, 'private_key'),
    publicJwk: JSON.parse(text(row, 'public_jwk')) as JWK,
    createdAt: integer(row, 'created_at'),
    retiredAt: integerOrNull(row, 'retired_at'),
  }
}

const insert = (db: DatabaseSync, key: SigningKey): void => {
  prepared(
    db,
    `INSERT INTO signing_keys (kid, algorithm, private_key, public_jwk, created_at, retired_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(key.kid, key.algorithm, key.privateKey, JSON.stringify(key.publicJwk), key.createdAt, key.retiredAt)
}

const retireOthers = (db: DatabaseSync, key: SigningKey): void => {
  prepared(db, 'UPDATE signing_keys SET retired_at = ? WHERE kid <> ? AND retired_at IS NULL').run(
    key.createdAt,
    key.kid,
  )
}

export const keyWrites = {
  addFirstKey(db: DatabaseSync, key: SigningKey): void {
    const current = prepared(
      db,
      'SELECT kid FROM signing_keys WHERE algorithm = ? AND retired_at IS NULL',
    ).get(key.algorithm)
    if (current) return
    insert(db, key)
    retireOthers(db, key)
  },

  rotateKey(
    db: DatabaseSync,
    key: SigningKey,
    options: { revokePrevious: boolean; removeRetiredBefore: number },
    entry: AuditEntry,
  ): void {
    if (options.revokePrevious) prepared(db, 'DELETE FROM signing_keys').run()
    prepared(db, 'DELETE FROM signing_keys WHERE retired_at < ?').run(options.removeRetiredBefore)
    insert(db, key)
    retireOthers(db, key)
    recordAudit(db, entry)
  },
}

export const sqliteKeys = (reader: () => DatabaseSync, writer: Writer): SigningKeyStore => ({
  list: async () =>
    translateErrors(() =>
      prepared(reader(), 'SELECT * FROM signing_keys ORDER BY created_at DESC, kid').all().map(fromRow),
    ),
  addFirst: (key) => writer.run('addFirstKey', key),
  rotate: (key, options, entry) => writer.run('rotateKey', key, options, entry),
})

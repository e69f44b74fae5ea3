import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../../domain/identity/audit.ts'
import type { SigningKey } from '../../../domain/identity/token/keys.ts'
import { recordAudit } from '../identity/record-audit.ts'
import { prepareOnce } from '../connect.ts'

const insert = (db: DatabaseSync, key: SigningKey): void => {
  prepareOnce(
    db,
    `INSERT INTO signing_keys (kid, algorithm, private_key, public_jwk, created_at, retired_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(key.kid, key.algorithm, key.privateKey, JSON.stringify(key.publicJwk), key.createdAt, key.retiredAt)
}

const retireOthers = (db: DatabaseSync, key: SigningKey): void => {
  prepareOnce(db, 'UPDATE signing_keys SET retired_at = ? WHERE kid <> ? AND retired_at IS NULL').run(
    key.createdAt,
    key.kid,
  )
}

export const keyWrites = {
  addFirst(db: DatabaseSync, key: SigningKey): void {
    const current = prepareOnce(
      db,
      'SELECT kid FROM signing_keys WHERE algorithm = ? AND retired_at IS NULL',
    ).get(key.algorithm)
    if (current) return
    insert(db, key)
    retireOthers(db, key)
  },

  rotate(
    db: DatabaseSync,
    key: SigningKey,
    options: { revokePrevious: boolean; removeRetiredBefore: number },
    entry: AuditEntry,
  ): void {
    if (options.revokePrevious) prepareOnce(db, 'DELETE FROM signing_keys').run()
    prepareOnce(db, 'DELETE FROM signing_keys WHERE retired_at < ?').run(options.removeRetiredBefore)
    insert(db, key)
    retireOthers(db, key)
    recordAudit(db, entry)
  },
}

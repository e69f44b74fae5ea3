import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../../domain/identity/audit.ts'
import type { LifecycleChange } from '../../../domain/v1-lifecycle/store.ts'
import { recordAudit } from '../identity/record-audit.ts'
import { prepareOnce } from '../connect.ts'
import { lifecycleFrom } from '../identity/lifecycle-rows.ts'

function changeOne(db: DatabaseSync, change: LifecycleChange): void {
  const { method, path } = change
  const row = prepareOnce(db, 'SELECT * FROM v1_lifecycle WHERE method = ? AND path = ?').get(method, path)
  const before = row && lifecycleFrom(row)
  const { deprecatedAt = before?.deprecatedAt ?? null, sunsetAt = before?.sunsetAt ?? null } = change
  const blackouts = change.blackouts === undefined ? (before?.blackouts ?? []) : (change.blackouts ?? [])
  prepareOnce(
    db,
    `INSERT INTO v1_lifecycle (method, path, deprecated_at, sunset_at, blackouts) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (method, path) DO UPDATE SET deprecated_at = excluded.deprecated_at,
       sunset_at = excluded.sunset_at, blackouts = excluded.blackouts`,
  ).run(method, path, deprecatedAt, sunsetAt, JSON.stringify(blackouts))
}

export const lifecycleWrites = {
  change(db: DatabaseSync, changes: readonly { change: LifecycleChange; entry: AuditEntry }[]): void {
    for (const { change, entry } of changes) {
      changeOne(db, change)
      recordAudit(db, entry)
    }
  },
}

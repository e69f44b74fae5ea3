import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../audit/audit.ts'
import type { Blackout, LifecycleChange, LifecycleOverride, LifecycleStore } from '../../migration/store.ts'
import { recordAudit } from './audit.ts'
import { prepared } from './connect.ts'
import { translateErrors } from './failure.ts'
import { integerOrNull, type Row, text } from './row.ts'
import type { Writer } from './writer.ts'

const fromRow = (row: Row): LifecycleOverride => ({
  method: text(row, 'method'),
  path: text(row, 'path'),
  deprecatedAt: integerOrNull(row, 'deprecated_at'),
  sunsetAt: integerOrNull(row, 'sunset_at'),
  blackouts: JSON.parse(text(row, 'blackouts')) as Blackout[],
})

function changeOne(db: DatabaseSync, change: LifecycleChange): void {
  const { method, path } = change
  const row = prepared(db, 'SELECT * FROM v1_lifecycle WHERE method = ? AND path = ?').get(method, path)
  const before = row && fromRow(row)
  const { deprecatedAt = before?.deprecatedAt ?? null, sunsetAt = before?.sunsetAt ?? null } = change
  const blackouts = change.blackouts === undefined ? (before?.blackouts ?? []) : (change.blackouts ?? [])
  prepared(
    db,
    `INSERT INTO v1_lifecycle (method, path, deprecated_at, sunset_at, blackouts) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (method, path) DO UPDATE SET deprecated_at = excluded.deprecated_at,
       sunset_at = excluded.sunset_at, blackouts = excluded.blackouts`,
  ).run(method, path, deprecatedAt, sunsetAt, JSON.stringify(blackouts))
}

export const lifecycleWrites = {
  changeLifecycle(
    db: DatabaseSync,
    changes: readonly { change: LifecycleChange; entry: AuditEntry }[],
  ): void {
    for (const { change, entry } of changes) {
      changeOne(db, change)
      recordAudit(db, entry)
    }
  },
}

export const sqliteLifecycle = (reader: () => DatabaseSync, writer: Writer): LifecycleStore => ({
  list: async () =>
    translateErrors(() => prepared(reader(), 'SELECT * FROM v1_lifecycle').all().map(fromRow)),
  change: (changes) => writer.run('changeLifecycle', changes),
})

import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../../domain/identity/audit.ts'
import { prepareOnce } from '../connect.ts'

/** Called by every write, inside its transaction. */
export function recordAudit(db: DatabaseSync, entry: AuditEntry): void {
  const { at, actor, action, target, detail } = entry
  prepareOnce(
    db,
    `INSERT INTO audit (at, actor_kind, actor_id, actor_name, trace_id, action, target, detail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(at, actor.kind, actor.id, actor.name, actor.traceId, action, target, JSON.stringify(detail))
}

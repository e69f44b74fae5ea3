import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry, AuditStore, RecordedEntry } from '../../../domain/identity/audit.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { integer, type Row, text, textOrNull } from '../row.ts'

/** Called by every write, inside its transaction. */
export function recordAudit(db: DatabaseSync, entry: AuditEntry): void {
  const { at, actor, action, target, detail } = entry
  prepareOnce(
    db,
    `INSERT INTO audit (at, actor_kind, actor_id, actor_name, trace_id, action, target, detail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(at, actor.kind, actor.id, actor.name, actor.traceId, action, target, JSON.stringify(detail))
}

const ACTOR_KINDS = ['partner', 'command-line', 'server'] as const

const fromRow = (row: Row): RecordedEntry => {
  const kind = ACTOR_KINDS.find((known) => known === row['actor_kind'])
  if (!kind) throw new Error('Column actor_kind holds an unknown kind.')
  return {
    id: integer(row, 'id'),
    at: integer(row, 'at'),
    actor: {
      kind,
      id: textOrNull(row, 'actor_id'),
      name: text(row, 'actor_name'),
      traceId: textOrNull(row, 'trace_id'),
    },
    action: text(row, 'action'),
    target: text(row, 'target'),
    detail: JSON.parse(text(row, 'detail')) as Record<string, unknown>,
  }
}

export const sqliteAudit = (reader: () => DatabaseSync): AuditStore => ({
  list: async ({ before, limit }) =>
    translateErrors(() =>
      prepareOnce(reader(), 'SELECT * FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?')
        .all(before ?? Number.MAX_SAFE_INTEGER, limit)
        .map(fromRow),
    ),
})

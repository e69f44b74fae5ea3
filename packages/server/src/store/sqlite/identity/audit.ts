import type { DatabaseSync } from 'node:sqlite'
import type { AuditStore, RecordedEntry } from '../../../domain/identity/audit.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { integer, type Row, text, textOrNull } from '../row.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

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

export const sqliteAudit = (reader: () => DatabaseSync, writes: BoundWrites<'audit'>): AuditStore =>
  withWrites<AuditStore, 'audit'>(writes, {
    list: async (page) => {
      const {
        before = Number.MAX_SAFE_INTEGER,
        limit,
        action = null,
        actor = null,
        search = '',
        from = 0,
      } = page
      return translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT * FROM audit WHERE id < ?1 AND at >= ?2 AND (?3 IS NULL OR action = ?3)
             AND (?4 IS NULL OR actor_id = ?4 OR actor_name = ?4)
             AND (instr(lower(action), lower(?5)) OR instr(lower(actor_name), lower(?5))
               OR instr(lower(target), lower(?5)) OR instr(lower(detail), lower(?5)))
           ORDER BY id DESC LIMIT ?6`,
        )
          .all(before, from, action, actor, search, limit)
          .map(fromRow),
      )
    },
  })

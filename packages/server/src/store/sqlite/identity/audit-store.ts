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
    list: async ({ before, limit }) =>
      translateErrors(() =>
        prepareOnce(reader(), 'SELECT * FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?')
          .all(before ?? Number.MAX_SAFE_INTEGER, limit)
          .map(fromRow),
      ),
  })

import type { AuditEntry, AuditStore, RecordedEntry } from '../../../domain/identity/audit.ts'
import type { Database, Sql } from '../pool/connect.ts'

interface Row {
  id: number
  at: number
  actor_kind: RecordedEntry['actor']['kind']
  actor_id: string | null
  actor_name: string
  trace_id: string | null
  action: string
  target: string
  detail: string
}

/** Called by every write, inside its transaction. */
export async function recordAudit(sql: Sql, ...entries: AuditEntry[]): Promise<void> {
  // Pipelined single-row statements: Citus evaluates a sequence once per statement.
  await Promise.all(
    entries.map(
      ({ at, actor, action, target, detail }) => sql`
        INSERT INTO audit (at, actor_kind, actor_id, actor_name, trace_id, action, target, detail)
        VALUES (${at}, ${actor.kind}, ${actor.id}, ${actor.name}, ${actor.traceId}, ${action}, ${target},
          ${JSON.stringify(detail)})`,
    ),
  )
}

const fromRow = (row: Row): RecordedEntry => ({
  id: row.id,
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name, traceId: row.trace_id },
  action: row.action,
  target: row.target,
  detail: JSON.parse(row.detail) as Record<string, unknown>,
})

/**
 * Ids may be assigned in another order than entries are committed. A client that pages from the newest entry still sees
 * all entries that existed when it began.
 */
export const postgresAudit = (db: Database): AuditStore => ({
  add: (entry) => db.write((sql) => recordAudit(sql, entry)),
  list: ({ before = Number.MAX_SAFE_INTEGER, limit, action = null, actor = null, search = '', from = 0 }) =>
    db.read(async (sql) => {
      const rows = await sql<Row[]>`
        SELECT * FROM audit
        WHERE id < ${before} AND at >= ${from} AND (${action}::text IS NULL OR action = ${action}::text)
          AND (${actor}::text IS NULL OR actor_id = ${actor}::text OR actor_name = ${actor}::text)
          AND (strpos(lower(action), lower(${search}::text)) > 0 OR strpos(lower(actor_name), lower(${search}::text)) > 0
            OR strpos(lower(target), lower(${search}::text)) > 0 OR strpos(lower(detail), lower(${search}::text)) > 0)
        ORDER BY id DESC LIMIT ${limit}`
      return rows.map(fromRow)
    }),
})

import type {
  Blackout,
  LifecycleChange,
  LifecycleOverride,
  LifecycleStore,
} from '../../../domain/v1-lifecycle/store.ts'
import { recordAudit } from './audit.ts'
import type { Database, Sql } from '../pool/connect.ts'

interface Row {
  method: string
  path: string
  deprecated_at: number | null
  sunset_at: number | null
  blackouts: string
}

const fromRow = (row: Row): LifecycleOverride => ({
  method: row.method,
  path: row.path,
  deprecatedAt: row.deprecated_at,
  sunsetAt: row.sunset_at,
  blackouts: JSON.parse(row.blackouts) as Blackout[],
})

/** An absent field keeps its stored value, even if the row is changed concurrently. */
const changeOne = (sql: Sql, { method, path, deprecatedAt, sunsetAt, blackouts }: LifecycleChange) => sql`
  INSERT INTO v1_lifecycle AS known (method, path, deprecated_at, sunset_at, blackouts)
  VALUES (${method}, ${path}, ${deprecatedAt ?? null}, ${sunsetAt ?? null}, ${JSON.stringify(blackouts ?? [])})
  ON CONFLICT (method, path) DO UPDATE SET
    deprecated_at = CASE WHEN ${deprecatedAt !== undefined} THEN excluded.deprecated_at ELSE known.deprecated_at END,
    sunset_at = CASE WHEN ${sunsetAt !== undefined} THEN excluded.sunset_at ELSE known.sunset_at END,
    blackouts = CASE WHEN ${blackouts !== undefined} THEN excluded.blackouts ELSE known.blackouts END`

export const postgresLifecycle = (db: Database): LifecycleStore => ({
  list: () => db.read(async (sql) => (await sql<Row[]>`SELECT * FROM v1_lifecycle`).map(fromRow)),
  change: (changes) =>
    db.write(async (sql) => {
      // In a fixed order, so that concurrent changes cannot deadlock.
      const inOrder = changes.toSorted((a, b) => (a.change.path < b.change.path ? -1 : 1))
      for (const { change } of inOrder) await changeOne(sql, change)
      await recordAudit(sql, ...changes.map(({ entry }) => entry))
    }),
})

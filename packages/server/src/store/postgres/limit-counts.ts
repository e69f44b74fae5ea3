import type { Buckets } from '../../limit/buckets.ts'
import type { Use } from '../../limit/limits.ts'
import type { SharedCounts } from '../../limit/shared-counts.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Database, openDatabase, type Sql } from './connect.ts'
import type { LineOptions } from './line.ts'

const ANSWER_WITHIN_MS = 250
/** A slice of what is cleaned up at once. */
const DELETE_AT_ONCE = 1_000

/**
 * Counts in the database: one statement a request, on one row. On a connection of its own, behind no question that takes its
 * time; one, because counts of the same partner would only wait for each other on several.
 */
export function postgresCounts(url: string, clock: Clock, options: LineOptions = {}): SharedCounts {
  const db = openDatabase(url, { ...options, answerMs: ANSWER_WITHIN_MS, sharedConnections: 1 })
  return {
    async take(use) {
      const now = clock.now()
      const state = await db.change((sql) => count(sql, use, now))
      const [isCounted = 0, judgedAt = now, ...numbers] = state
      return {
        now: judgedAt,
        windows: use.windows.map((window, index) => ({
          window,
          buckets: bucketsBefore(numbers.slice(index * 3, index * 3 + 3), isCounted),
        })),
      }
    },
    giveBack: (use) => db.change((sql) => giveBack(sql, use, clock.now())),
    close: () => db.close(),
  }
}

const lengthsOf = ({ windows }: Use): number[] => windows.map(({ ms }) => ms)

/** With the windows in it: another configuration counts anew. */
const keyOf = (use: Use): string => `${use.what} ${lengthsOf(use).join(' ')} ${use.key}`

const bucketsBefore = ([start = 0, current = 0, previous = 0]: number[], isCounted: number): Buckets => ({
  start,
  current: current - isCounted,
  previous,
})

async function count(sql: Sql, use: Use, now: number): Promise<number[]> {
  const limits = use.windows.map(({ limit }) => limit)
  const lengths = lengthsOf(use)
  const [row] = await sql<{ state: number[] }[]>`
    INSERT INTO limit_counts AS known (key, state, expires_at)
    VALUES (${keyOf(use)}, count_use(NULL, ${limits}::bigint[], ${lengths}::bigint[], ${now}, 1),
      ${now + 2 * Math.max(...lengths)})
    ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at,
      state = count_use(known.state, ${limits}::bigint[], ${lengths}::bigint[], ${now}, 1)
    RETURNING state`
  return row?.state ?? []
}

async function giveBack(sql: Sql, use: Use, now: number): Promise<void> {
  await sql`
    UPDATE limit_counts SET state = count_use(state, '{}', ${lengthsOf(use)}::bigint[], ${now}, -1)
    WHERE key = ${keyOf(use)}`
}

/** Takes away what no window covers any more. */
export async function dropOldCounts(db: Database, now: number): Promise<void> {
  for (;;) {
    const old = await db.read(
      (sql) => sql<{ key: string }[]>`
        SELECT /* every site */ key FROM limit_counts WHERE expires_at < ${now} LIMIT ${DELETE_AT_ONCE}`,
    )
    await db.change((sql) =>
      Promise.all(
        old.map(({ key }) => sql`DELETE FROM limit_counts WHERE key = ${key} AND expires_at < ${now}`),
      ),
    )
    if (old.length < DELETE_AT_ONCE) return
  }
}

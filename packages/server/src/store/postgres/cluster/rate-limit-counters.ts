import type { LimitRequest } from '../../../domain/identity/rate-limit/limits.ts'
import type { CounterState, SharedCounters } from '../../../domain/identity/rate-limit/shared-counters.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { createBatcher } from '../../../kernel/batcher.ts'
import { type Database, openDatabase, type Sql } from '../pool/connect.ts'
import type { PoolOptions } from '../pool/disposable-pool.ts'

const ANSWER_WITHIN_MS = 250
/** Expired counters deleted per round. */
const DELETE_AT_ONCE = 1_000

/**
 * Rate-limit counters in the database: one statement on one row; calls for the same row that arrive meanwhile share
 * the next statement. Uses a separate connection, so that counting never waits behind slow queries.
 */
export function postgresCounters(url: string, clock: Clock, options: PoolOptions = {}): SharedCounters {
  const db = openDatabase(url, { ...options, answerMs: ANSWER_WITHIN_MS, sharedConnections: 1 })
  return {
    consume: createBatcher({
      // Only uses of the same cost are batched: the statement allows as many of them as there is room for.
      key: (use) => `${toCounterKey(use)} ${toLimits(use).join(' ')} ${use.cost ?? 1}`,
      flush: (uses: readonly LimitRequest[]) => consumeTogether(db, uses, clock.now()),
      when: 'idle',
    }),
    refund: createBatcher({
      key: toCounterKey,
      flush: async (uses: readonly LimitRequest[]) => {
        await db.change((sql) => refundTogether(sql, uses, clock.now()))
        return []
      },
      when: 'idle',
    }),
    close: () => db.close(),
  }
}

const toLengths = ({ windows }: LimitRequest): number[] => windows.map(({ ms }) => ms)
const toLimits = ({ windows }: LimitRequest): number[] => windows.map(({ limit }) => limit)

/** Includes the window lengths: a changed configuration starts new counters. */
const toCounterKey = (use: LimitRequest): string => `${use.kind} ${toLengths(use).join(' ')} ${use.key}`

/** Consumes a batch of requests of one key. Each gets the decision that it would have got alone. */
async function consumeTogether(
  db: Database,
  uses: readonly LimitRequest[],
  now: number,
): Promise<CounterState[]> {
  const [one] = uses
  if (!one) return []
  const { cost = 1 } = one
  const [counted = 0, judgedAt = now, ...numbers] = await db.change((sql) =>
    // Without a cost there is nothing to divide the room by, and nothing to count.
    consumeWindows(sql, one, cost === 0 ? 0 : uses.length, now),
  )
  return uses.map(({ windows }, place) => ({
    now: judgedAt,
    windows: windows.map((window, index) => {
      const [start = 0, current = 0, previous = 0] = numbers.slice(index * 3, index * 3 + 3)
      return {
        window,
        buckets: { start, current: current - (counted - Math.min(place, counted)) * cost, previous },
      }
    }),
  }))
}

async function consumeWindows(sql: Sql, use: LimitRequest, uses: number, now: number): Promise<number[]> {
  const limits = toLimits(use)
  const lengths = toLengths(use)
  const { cost = 1 } = use
  const [row] = await sql<{ state: number[] }[]>`
    INSERT INTO rate_limit_counters AS known (key, state, expires_at)
    VALUES (${toCounterKey(use)}, consume_limits(NULL, ${limits}::bigint[], ${lengths}::bigint[], ${now}, ${uses}, ${cost}),
      ${now + 2 * Math.max(...lengths)})
    ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at,
      state = consume_limits(known.state, ${limits}::bigint[], ${lengths}::bigint[], ${now}, ${uses}, ${cost})
    RETURNING state`
  return row?.state ?? []
}

/** Refunds the costs of a batch of requests of one key. */
async function refundTogether(sql: Sql, uses: readonly LimitRequest[], now: number): Promise<void> {
  const [one] = uses
  if (!one) return
  const cost = uses.reduce((sum, use) => sum + (use.cost ?? 1), 0)
  await sql`
    UPDATE rate_limit_counters SET state = consume_limits(state, '{}', ${toLengths(one)}::bigint[], ${now}, -1, ${cost})
    WHERE key = ${toCounterKey(one)}`
}

/** Deletes counters that no window covers any longer. */
export async function deleteExpiredCounters(db: Database, now: number): Promise<void> {
  for (;;) {
    const old = await db.read(
      (sql) => sql<{ key: string }[]>`
        SELECT /* every site */ key FROM rate_limit_counters WHERE expires_at < ${now} LIMIT ${DELETE_AT_ONCE}`,
    )
    await db.change((sql) =>
      Promise.all(
        old.map(({ key }) => sql`DELETE FROM rate_limit_counters WHERE key = ${key} AND expires_at < ${now}`),
      ),
    )
    if (old.length < DELETE_AT_ONCE) return
  }
}

import { sumByHour } from '../../../domain/v1-lifecycle/hours.ts'
import type { V1Period, V1UsageRow, V1UsageStore } from '../../../domain/v1-lifecycle/usage-store.ts'
import type { Database, Sql } from '../pool/connect.ts'

const uses = (sql: Sql) => sql`
  SELECT partner_uuid AS "partnerUuid", name AS "partnerName", path, sum(calls)::bigint AS calls,
    coalesce(sum(calls) FILTER (WHERE status_class >= 4), 0)::bigint AS failed,
    max(last_seen_at) AS "lastSeenAt"
  FROM v1_usage JOIN partners USING (partner_uuid)`

const grouped = (sql: Sql) => sql`GROUP BY partner_uuid, name, path ORDER BY partner_uuid, path`

export const postgresV1Usage = (db: Database): V1UsageStore => ({
  add: (tallies) =>
    db.write(async (sql) => {
      // In a fixed order, so that concurrent updates cannot deadlock.
      const inOrder = tallies.toSorted((a, b) => (toRowKey(a) < toRowKey(b) ? -1 : 1))
      for (const { partnerUuid, path, statusClass, calls, lastSeenAt } of inOrder) {
        await sql`
          INSERT INTO v1_usage AS known (partner_uuid, path, status_class, calls, last_seen_at)
          VALUES (${partnerUuid}, ${path}, ${statusClass}, ${calls}, ${lastSeenAt})
          ON CONFLICT (partner_uuid, path, status_class) DO UPDATE SET calls = known.calls + excluded.calls,
            last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)`
      }
      for (const { hour, partnerUuid, calls, failed } of sumByHour(tallies))
        await sql`
          INSERT INTO v1_hourly_calls AS known (hour, partner_uuid, calls, failed)
          VALUES (${hour}, ${partnerUuid}, ${calls}, ${failed})
          ON CONFLICT (hour, partner_uuid) DO UPDATE SET calls = known.calls + excluded.calls,
            failed = known.failed + excluded.failed`
    }),
  listForPartner: (partnerUuid) =>
    db.read(async (sql) => [
      ...(await sql<V1UsageRow[]>`${uses(sql)} WHERE partner_uuid = ${partnerUuid} ${grouped(sql)}`),
    ]),
  list: ({ after, limit }) =>
    db.read(async (sql) => [
      ...(await sql<V1UsageRow[]>`
        ${uses(sql)}
        ${after ? sql`WHERE (partner_uuid, path) > (${after.partnerUuid}, ${after.path})` : sql``}
        ${grouped(sql)} LIMIT ${limit}`),
    ]),
  listPeriods: ({ from, periodMs, partnerUuid }) =>
    db.read(async (sql) => [
      ...(await sql<V1Period[]>`
        SELECT hour - hour % ${periodMs}::bigint AS at, sum(calls)::bigint AS calls, sum(failed)::bigint AS failed,
          count(DISTINCT partner_uuid) AS partners
        FROM v1_hourly_calls
        WHERE hour >= ${from} ${partnerUuid === undefined ? sql`` : sql`AND partner_uuid = ${partnerUuid}`}
        GROUP BY 1 ORDER BY 1`),
    ]),
  removeHoursBefore: (before) =>
    db.write(async (sql) => void (await sql`DELETE FROM v1_hourly_calls WHERE hour < ${before}`)),
})

const toRowKey = ({
  partnerUuid,
  path,
  statusClass,
}: {
  partnerUuid: string
  path: string
  statusClass: number
}) => `${partnerUuid} ${path} ${statusClass}`

import type { DatabaseSync } from 'node:sqlite'
import type { V1UsageRow, V1UsageStore } from '../../../domain/v1-lifecycle/usage-store.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { integer, type Row, text } from '../row.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

const usesWhere = (condition: string): string =>
  `SELECT partner_uuid, name, path, sum(calls) AS calls, max(last_seen_at) AS last_seen_at,
     sum(iif(status_class >= 4, calls, 0)) AS failed
   FROM v1_usage JOIN partners USING (partner_uuid)
   WHERE ${condition} GROUP BY partner_uuid, path ORDER BY partner_uuid, path LIMIT ?`

const fromRow = (row: Row): V1UsageRow => ({
  partnerUuid: text(row, 'partner_uuid'),
  partnerName: text(row, 'name'),
  path: text(row, 'path'),
  calls: integer(row, 'calls'),
  failed: integer(row, 'failed'),
  lastSeenAt: integer(row, 'last_seen_at'),
})

const NO_LIMIT = -1

export const sqliteV1Usage = (reader: () => DatabaseSync, writes: BoundWrites<'v1Usage'>): V1UsageStore =>
  withWrites<V1UsageStore, 'v1Usage'>(writes, {
    listForPartner: async (partnerUuid) =>
      translateErrors(() =>
        prepareOnce(reader(), usesWhere('partner_uuid = ?')).all(partnerUuid, NO_LIMIT).map(fromRow),
      ),
    list: async ({ after, limit }) =>
      translateErrors(() =>
        prepareOnce(reader(), usesWhere('(partner_uuid, path) > (?, ?)'))
          .all(after?.partnerUuid ?? '', after?.path ?? '', limit)
          .map(fromRow),
      ),
    listPeriods: async ({ from, periodMs, partnerUuid = null }) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT hour - hour % ?1 AS at, sum(calls) AS calls, sum(failed) AS failed,
             count(DISTINCT partner_uuid) AS partners
           FROM v1_hourly_calls WHERE hour >= ?2 AND (?3 IS NULL OR partner_uuid = ?3) GROUP BY 1 ORDER BY 1`,
        )
          .all(periodMs, from, partnerUuid)
          .map((row) => ({
            at: integer(row, 'at'),
            calls: integer(row, 'calls'),
            failed: integer(row, 'failed'),
            partners: integer(row, 'partners'),
          })),
      ),
  })

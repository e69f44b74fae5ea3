import type { DatabaseSync } from 'node:sqlite'
import type { V1Tally, V1Use, V1UsageStore } from '../../migration/usage-store.ts'
import { prepared } from './connect.ts'
import { translateErrors } from './failure.ts'
import { integer, type Row, text } from './row.ts'
import type { Writer } from './writer.ts'

export const v1UsageWrites = {
  addV1Usage(db: DatabaseSync, tallies: readonly V1Tally[]): void {
    const upsert = prepared(
      db,
      `INSERT INTO v1_usage (partner_uuid, path, status_class, calls, last_seen_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET calls = calls + excluded.calls,
         last_seen_at = max(last_seen_at, excluded.last_seen_at)`,
    )
    for (const { partnerUuid, path, statusClass, calls, lastSeenAt } of tallies) {
      upsert.run(partnerUuid, path, statusClass, calls, lastSeenAt)
    }
  },
}

const usesWhere = (condition: string): string =>
  `SELECT partner_uuid, name, path, sum(calls) AS calls, max(last_seen_at) AS last_seen_at,
     sum(iif(status_class >= 4, calls, 0)) AS failed
   FROM v1_usage JOIN partners USING (partner_uuid)
   WHERE ${condition} GROUP BY partner_uuid, path ORDER BY partner_uuid, path LIMIT ?`

const fromRow = (row: Row): V1Use => ({
  partnerUuid: text(row, 'partner_uuid'),
  partnerName: text(row, 'name'),
  path: text(row, 'path'),
  calls: integer(row, 'calls'),
  failed: integer(row, 'failed'),
  lastSeenAt: integer(row, 'last_seen_at'),
})

const NO_LIMIT = -1

export const sqliteV1Usage = (reader: () => DatabaseSync, writer: Writer): V1UsageStore => ({
  add: (tallies) => writer.run('addV1Usage', tallies),
  ofPartner: async (partnerUuid) =>
    translateErrors(() =>
      prepared(reader(), usesWhere('partner_uuid = ?')).all(partnerUuid, NO_LIMIT).map(fromRow),
    ),
  list: async ({ after, limit }) =>
    translateErrors(() =>
      prepared(reader(), usesWhere('(partner_uuid, path) > (?, ?)'))
        .all(after?.partnerUuid ?? '', after?.path ?? '', limit)
        .map(fromRow),
    ),
})

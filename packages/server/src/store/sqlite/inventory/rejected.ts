import type { DatabaseSync } from 'node:sqlite'
import type { RejectedStore, StoredRejection } from '../../../domain/telemetry/ingest/rejected.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { integer, type Row, text, textOrNull } from '../row.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

const fromRow = (row: Row): StoredRejection => ({
  id: integer(row, 'id'),
  at: integer(row, 'at'),
  topic: text(row, 'topic'),
  reason: text(row, 'reason'),
  message: text(row, 'message'),
  payload: text(row, 'payload'),
  payloadBytes: integer(row, 'payload_bytes'),
  gatewayUuid: textOrNull(row, 'gateway_uuid'),
})

export const sqliteRejected = (reader: () => DatabaseSync, writes: BoundWrites<'rejected'>): RejectedStore =>
  withWrites<RejectedStore, 'rejected'>(writes, {
    list: async ({ before, limit }) =>
      translateErrors(() =>
        prepareOnce(reader(), 'SELECT * FROM rejected_messages WHERE id < ? ORDER BY id DESC LIMIT ?')
          .all(before ?? Number.MAX_SAFE_INTEGER, limit)
          .map(fromRow),
      ),
    countByReason: async (since) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT reason, count(*) AS messages FROM rejected_messages WHERE at >= ?
           GROUP BY reason ORDER BY messages DESC, reason`,
        )
          .all(since)
          .map((row) => ({ reason: text(row, 'reason'), messages: integer(row, 'messages') })),
      ),
  })

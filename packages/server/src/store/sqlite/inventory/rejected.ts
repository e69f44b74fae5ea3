import type { DatabaseSync } from 'node:sqlite'
import {
  FORBIDDEN_TOPIC,
  type RejectedStore,
  type StoredRejection,
} from '../../../domain/telemetry/ingest/rejected.ts'
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
    list: async ({ before = Number.MAX_SAFE_INTEGER, limit, reason = null, search = '', from = 0 }) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT * FROM rejected_messages WHERE id < ?1 AND at >= ?2 AND (?3 IS NULL OR reason = ?3)
             AND (instr(lower(topic), lower(?4)) OR instr(lower(message), lower(?4)) OR instr(lower(payload), lower(?4)))
           ORDER BY id DESC LIMIT ?5`,
        )
          .all(before, from, reason, search, limit)
          .map(fromRow),
      ),
    listForDevice: async ({ topicPrefix, before = Number.MAX_SAFE_INTEGER, limit }) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT * FROM rejected_messages
           WHERE id < ?1 AND substr(topic, 1, length(?2)) = ?2 AND reason <> ?3 ORDER BY id DESC LIMIT ?4`,
        )
          .all(before, topicPrefix, FORBIDDEN_TOPIC, limit)
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

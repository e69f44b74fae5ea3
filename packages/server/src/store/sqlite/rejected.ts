import type { DatabaseSync } from 'node:sqlite'
import type { KeptRejection, RejectedMessage } from '../../rejected/rejected.ts'
import { MAX_REJECTED, type RejectedStore } from '../../rejected/store.ts'
import { prepared } from './connect.ts'
import { translateErrors } from './failure.ts'
import { integer, type Row, text, textOrNull } from './row.ts'
import type { Writer } from './writer.ts'

export const rejectedWrites = {
  addRejected(db: DatabaseSync, messages: readonly RejectedMessage[]): void {
    for (const { at, topic, reason, message, payload, payloadBytes, gatewayUuid } of messages) {
      prepared(
        db,
        `INSERT INTO rejected_messages (at, topic, reason, message, payload, payload_bytes, gateway_uuid)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ).run(at, topic, reason, message, payload, payloadBytes, gatewayUuid)
    }
    prepared(db, 'DELETE FROM rejected_messages WHERE id <= (SELECT max(id) FROM rejected_messages) - ?').run(
      MAX_REJECTED,
    )
  },
}

const fromRow = (row: Row): KeptRejection => ({
  id: integer(row, 'id'),
  at: integer(row, 'at'),
  topic: text(row, 'topic'),
  reason: text(row, 'reason'),
  message: text(row, 'message'),
  payload: text(row, 'payload'),
  payloadBytes: integer(row, 'payload_bytes'),
  gatewayUuid: textOrNull(row, 'gateway_uuid'),
})

export const sqliteRejected = (reader: () => DatabaseSync, writer: Writer): RejectedStore => ({
  add: (messages) => writer.run('addRejected', messages),
  list: async ({ before, limit }) =>
    translateErrors(() =>
      prepared(reader(), 'SELECT * FROM rejected_messages WHERE id < ? ORDER BY id DESC LIMIT ?')
        .all(before ?? Number.MAX_SAFE_INTEGER, limit)
        .map(fromRow),
    ),
})

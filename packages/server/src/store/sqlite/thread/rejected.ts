import type { DatabaseSync } from 'node:sqlite'
import { MAX_REJECTED, type RejectedMessage } from '../../../domain/telemetry/ingest/rejected.ts'
import { prepareOnce } from '../connect.ts'

export const rejectedWrites = {
  add(db: DatabaseSync, messages: readonly RejectedMessage[]): void {
    for (const { at, topic, reason, message, payload, payloadBytes, gatewayUuid } of messages) {
      prepareOnce(
        db,
        `INSERT INTO rejected_messages (at, topic, reason, message, payload, payload_bytes, gateway_uuid)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ).run(at, topic, reason, message, payload, payloadBytes, gatewayUuid)
    }
    prepareOnce(
      db,
      'DELETE FROM rejected_messages WHERE id <= (SELECT max(id) FROM rejected_messages) - ?',
    ).run(MAX_REJECTED)
  },
}

import type { DatabaseSync } from 'node:sqlite'
import type { RejectedMessage } from '../../../rejected/rejected.ts'
import { MAX_REJECTED } from '../../../rejected/store.ts'
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
    prepareOnce(db, 'DELETE FROM rejected_messages WHERE id <= (SELECT max(id) FROM rejected_messages) - ?').run(
      MAX_REJECTED,
    )
  },
}

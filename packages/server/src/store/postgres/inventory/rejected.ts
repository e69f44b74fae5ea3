import {
  FORBIDDEN_TOPIC,
  MAX_REJECTED,
  type RejectedMessage,
  type RejectedStore,
  type StoredRejection,
} from '../../../domain/telemetry/ingest/rejected.ts'
import type { Database, Sql } from '../pool/connect.ts'

async function insert(sql: Sql, messages: readonly RejectedMessage[]): Promise<void> {
  const column = <K extends keyof RejectedMessage>(name: K) => messages.map((message) => message[name])
  await sql`
    INSERT INTO rejected_messages (at, topic, reason, message, payload, payload_bytes, gateway_uuid)
    SELECT /* by copy */ * FROM unnest(${column('at')}::bigint[], ${column('topic')}::text[], ${column('reason')}::text[],
      ${column('message')}::text[], ${column('payload')}::text[], ${column('payloadBytes')}::integer[],
      ${column('gatewayUuid')}::text[])`
}

export const postgresRejected = (db: Database): RejectedStore => ({
  add: (messages) =>
    db.write(async (sql) => {
      await insert(sql, messages)
      const [oldest] = await sql<{ id: number }[]>`
        SELECT id FROM rejected_messages ORDER BY id DESC OFFSET ${MAX_REJECTED - 1} LIMIT 1`
      if (oldest) await sql`DELETE FROM rejected_messages WHERE id < ${oldest.id}`
    }),
  listForDevice: ({ topicPrefix, before = Number.MAX_SAFE_INTEGER, limit }) =>
    db.read(async (sql) => [
      ...(await sql<StoredRejection[]>`
        SELECT id, at, topic, reason, message, payload, payload_bytes AS "payloadBytes",
          gateway_uuid AS "gatewayUuid"
        FROM rejected_messages
        WHERE id < ${before} AND starts_with(topic, ${topicPrefix}::text) AND reason <> ${FORBIDDEN_TOPIC}
        ORDER BY id DESC LIMIT ${limit}`),
    ]),
  list: ({ before = Number.MAX_SAFE_INTEGER, limit, reason = null, search = '', from = 0 }) =>
    db.read(async (sql) => [
      ...(await sql<StoredRejection[]>`
        SELECT id, at, topic, reason, message, payload, payload_bytes AS "payloadBytes",
          gateway_uuid AS "gatewayUuid"
        FROM rejected_messages
        WHERE id < ${before} AND at >= ${from} AND (${reason}::text IS NULL OR reason = ${reason}::text)
          AND (strpos(lower(topic), lower(${search}::text)) > 0 OR strpos(lower(message), lower(${search}::text)) > 0
            OR strpos(lower(payload), lower(${search}::text)) > 0)
        ORDER BY id DESC LIMIT ${limit}`),
    ]),
  countByReason: (since) =>
    db.read(async (sql) => [
      ...(await sql<{ reason: string; messages: number }[]>`
        SELECT reason, count(*) AS messages FROM rejected_messages WHERE at >= ${since}
        GROUP BY reason ORDER BY messages DESC, reason`),
    ]),
})

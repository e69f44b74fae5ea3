import {
  chooseSurplus,
  type ConsoleSession,
  type ListedSession,
} from '../../../domain/identity/session/session.ts'
import type { SessionStore } from '../../../domain/identity/session/store.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { recordAudit } from './audit.ts'

interface Row {
  session_id: string
  partner_uuid: string
  secret_id: string | null
  created_at: number
  expires_at: number
  address: string
  agent: string
  client_id: string
  partner_name: string
}

const fromRow = (row: Row): ListedSession => ({
  sessionId: row.session_id,
  partnerUuid: row.partner_uuid,
  secretId: row.secret_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  address: row.address,
  agent: row.agent,
  clientId: row.client_id,
  partnerName: row.partner_name,
})

const selectLive = (sql: Sql, now: number) => sql`
  SELECT console_sessions.*, client_id, name AS partner_name
  FROM console_sessions JOIN partners USING (partner_uuid)
  WHERE console_sessions.expires_at > ${now} AND enabled
    AND console_sessions.created_at >= tokens_not_before * 1000::bigint
    AND (console_sessions.secret_id IS NULL OR EXISTS (SELECT 1 FROM partner_secrets
      WHERE partner_secrets.secret_id = console_sessions.secret_id AND partner_secrets.expires_at > ${now}))`

const remove = async (sql: Sql, sessionId: string): Promise<boolean> =>
  (await sql`DELETE FROM console_sessions WHERE session_id = ${sessionId}`).count > 0

async function insert(sql: Sql, session: ConsoleSession, maxLive: number, now: number): Promise<void> {
  // Serialises the sign-ins of a partner, so that each counts the sessions of the others.
  await sql`SELECT 1 FROM partners WHERE partner_uuid = ${session.partnerUuid} FOR NO KEY UPDATE`
  const live = await sql<{ session_id: string }[]>`
    SELECT session_id FROM console_sessions WHERE partner_uuid = ${session.partnerUuid} AND expires_at > ${now}
    ORDER BY created_at, session_id COLLATE "C"`
  const surplus = chooseSurplus(
    live.map(({ session_id }) => session_id),
    maxLive,
  )
  for (const sessionId of surplus) await remove(sql, sessionId)
  await sql`
    INSERT INTO console_sessions (session_id, partner_uuid, secret_id, created_at, expires_at, address, agent)
    VALUES (${session.sessionId}, ${session.partnerUuid}, ${session.secretId}, ${session.createdAt},
      ${session.expiresAt}, ${session.address}, ${session.agent})`
}

export const postgresSessions = (db: Database): SessionStore => ({
  find: (sessionId, now) =>
    db.read(async (sql) => {
      const [row] = await sql<Row[]>`${selectLive(sql, now)} AND session_id = ${sessionId}`
      return row && fromRow(row)
    }),
  list: (now, { before, limit, partnerUuid }) =>
    db.read(async (sql) => {
      const rows = await sql<Row[]>`
        ${selectLive(sql, now)}
          AND (console_sessions.created_at, session_id COLLATE "C")
            < (${before?.createdAt ?? Number.MAX_SAFE_INTEGER}, ${before?.sessionId ?? ''})
          ${partnerUuid === undefined ? sql`` : sql`AND console_sessions.partner_uuid = ${partnerUuid}`}
        ORDER BY console_sessions.created_at DESC, session_id COLLATE "C" DESC LIMIT ${limit}`
      return rows.map(fromRow)
    }),
  add: (session, { maxLive, codeId }, entry) =>
    db.write(async (sql) => {
      if (codeId !== undefined) {
        const used = await sql`
          DELETE FROM console_codes WHERE code_id = ${codeId} AND expires_at > ${entry.at}`
        if (used.count === 0) return 'unknown-code'
      }
      await insert(sql, session, maxLive, entry.at)
      await recordAudit(sql, entry)
      return 'added'
    }),
  end: (sessionId, entry) =>
    db.write(async (sql) => {
      if (!(await remove(sql, sessionId))) return 'unknown'
      await recordAudit(sql, entry)
      return 'ended'
    }),
  findCode: (codeId, now) =>
    db.read(async (sql) => {
      const [row] = await sql<{ partner_uuid: string; expires_at: number }[]>`
        SELECT partner_uuid, expires_at FROM console_codes WHERE code_id = ${codeId} AND expires_at > ${now}`
      return row && { codeId, partnerUuid: row.partner_uuid, expiresAt: row.expires_at }
    }),
  addCode: ({ codeId, partnerUuid, expiresAt }, entry) =>
    db.write(async (sql) => {
      await sql`
        INSERT INTO console_codes (code_id, partner_uuid, expires_at)
        VALUES (${codeId}, ${partnerUuid}, ${expiresAt})`
      await recordAudit(sql, entry)
    }),
  removeExpired: (now) =>
    db.write(async (sql) => {
      const sessions = await sql`DELETE FROM console_sessions WHERE expires_at <= ${now}`
      const codes = await sql`DELETE FROM console_codes WHERE expires_at <= ${now}`
      return sessions.count + codes.count
    }),
})

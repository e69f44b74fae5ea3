import type { DatabaseSync } from 'node:sqlite'
import type { ListedSession } from '../../../domain/identity/session/session.ts'
import type { SessionStore } from '../../../domain/identity/session/store.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { integer, type Row, text, textOrNull } from '../row.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

const fromRow = (row: Row): ListedSession => ({
  sessionId: text(row, 'session_id'),
  partnerUuid: text(row, 'partner_uuid'),
  secretId: textOrNull(row, 'secret_id'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integer(row, 'expires_at'),
  address: text(row, 'address'),
  agent: text(row, 'agent'),
  clientId: text(row, 'client_id'),
  partnerName: text(row, 'partner_name'),
})

/** Live sessions; the two parameters are both the present time. */
const LIVE = `
  SELECT console_sessions.*, client_id, name AS partner_name
  FROM console_sessions JOIN partners USING (partner_uuid)
  WHERE console_sessions.expires_at > ? AND enabled = 1 AND console_sessions.created_at >= tokens_not_before * 1000
    AND (console_sessions.secret_id IS NULL OR EXISTS (SELECT 1 FROM partner_secrets
      WHERE partner_secrets.secret_id = console_sessions.secret_id AND partner_secrets.expires_at > ?))`

export const sqliteSessions = (reader: () => DatabaseSync, writes: BoundWrites<'sessions'>): SessionStore =>
  withWrites<SessionStore, 'sessions'>(writes, {
    find: async (sessionId, now) =>
      translateErrors(() => {
        const row = prepareOnce(reader(), `${LIVE} AND session_id = ?`).get(now, now, sessionId)
        return row && fromRow(row)
      }),
    list: async (now, { before, limit, partnerUuid = null }) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `${LIVE} AND (console_sessions.created_at, session_id) < (?, ?)
             AND console_sessions.partner_uuid = coalesce(?, console_sessions.partner_uuid)
           ORDER BY console_sessions.created_at DESC, session_id DESC LIMIT ?`,
        )
          .all(
            now,
            now,
            before?.createdAt ?? Number.MAX_SAFE_INTEGER,
            before?.sessionId ?? '',
            partnerUuid,
            limit,
          )
          .map(fromRow),
      ),
    findCode: async (codeId, now) =>
      translateErrors(() => {
        const row = prepareOnce(
          reader(),
          'SELECT * FROM console_codes WHERE code_id = ? AND expires_at > ?',
        ).get(codeId, now)
        return (
          row && {
            codeId,
            partnerUuid: text(row, 'partner_uuid'),
            expiresAt: integer(row, 'expires_at'),
          }
        )
      }),
    // Reads first, so that an installation without console sessions writes nothing.
    removeExpired: async (now) => {
      const expired = translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT 1 FROM console_sessions WHERE expires_at <= ?
           UNION ALL SELECT 1 FROM console_codes WHERE expires_at <= ? LIMIT 1`,
        ).get(now, now),
      )
      return expired ? writes.removeExpiredRows(now) : 0
    },
  })

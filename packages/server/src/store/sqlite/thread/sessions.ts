import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../../domain/identity/audit.ts'
import {
  chooseSurplus,
  type ConsoleCode,
  type ConsoleSession,
} from '../../../domain/identity/session/session.ts'
import { prepareOnce } from '../connect.ts'
import { recordAudit } from '../identity/record-audit.ts'
import { text } from '../row.ts'

const useCode = (db: DatabaseSync, codeId: string, now: number): boolean =>
  prepareOnce(db, 'DELETE FROM console_codes WHERE code_id = ? AND expires_at > ?').run(codeId, now).changes >
  0

const remove = (db: DatabaseSync, sessionId: string): boolean =>
  prepareOnce(db, 'DELETE FROM console_sessions WHERE session_id = ?').run(sessionId).changes > 0

export const sessionWrites = {
  add(
    db: DatabaseSync,
    session: ConsoleSession,
    { maxLive, codeId }: { maxLive: number; codeId?: string },
    entry: AuditEntry,
  ): 'added' | 'unknown-code' {
    if (codeId !== undefined && !useCode(db, codeId, entry.at)) return 'unknown-code'
    const live = prepareOnce(
      db,
      `SELECT session_id FROM console_sessions WHERE partner_uuid = ? AND expires_at > ?
       ORDER BY created_at, session_id`,
    )
      .all(session.partnerUuid, entry.at)
      .map((row) => text(row, 'session_id'))
    for (const surplus of chooseSurplus(live, maxLive)) remove(db, surplus)
    prepareOnce(
      db,
      `INSERT INTO console_sessions (session_id, partner_uuid, secret_id, created_at, expires_at, address, agent)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      session.sessionId,
      session.partnerUuid,
      session.secretId,
      session.createdAt,
      session.expiresAt,
      session.address,
      session.agent,
    )
    recordAudit(db, entry)
    return 'added'
  },

  end(db: DatabaseSync, sessionId: string, entry: AuditEntry): 'ended' | 'unknown' {
    if (!remove(db, sessionId)) return 'unknown'
    recordAudit(db, entry)
    return 'ended'
  },

  addCode(db: DatabaseSync, { codeId, partnerUuid, expiresAt }: ConsoleCode, entry: AuditEntry): void {
    prepareOnce(db, 'INSERT INTO console_codes (code_id, partner_uuid, expires_at) VALUES (?, ?, ?)').run(
      codeId,
      partnerUuid,
      expiresAt,
    )
    recordAudit(db, entry)
  },

  removeExpiredRows(db: DatabaseSync, now: number): number {
    let removed = 0
    for (const table of ['console_sessions', 'console_codes'])
      removed += Number(prepareOnce(db, `DELETE FROM ${table} WHERE expires_at <= ?`).run(now).changes)
    return removed
  },
}

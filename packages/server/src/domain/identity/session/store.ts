import type { AuditEntry } from '../audit.ts'
import type { ConsoleCode, ConsoleSession, ListedSession } from './session.ts'

/**
 * Console sessions and one-time codes, which belong to the installation. A session is live until it expires, as long as
 * its partner is enabled and was not disabled since, and its secret exists and has not expired.
 */
export interface SessionStore {
  /** A live session. */
  find(sessionId: string, now: number): Promise<ListedSession | undefined>
  /** Live sessions, newest first, after the last one of the previous page; of all partners, or of one. */
  list(
    now: number,
    page: {
      before: Pick<ConsoleSession, 'createdAt' | 'sessionId'> | undefined
      limit: number
      partnerUuid?: string | undefined
    },
  ): Promise<ListedSession[]>
  /**
   * Adds a session and ends the partner's oldest ones beyond `maxLive`. With `codeId`, the code is redeemed in the same
   * transaction: of several concurrent uses, exactly one succeeds.
   */
  add(
    session: ConsoleSession,
    options: { maxLive: number; codeId?: string },
    entry: AuditEntry,
  ): Promise<'added' | 'unknown-code'>
  end(sessionId: string, entry: AuditEntry): Promise<'ended' | 'unknown'>

  /** A code that has neither expired nor been used. */
  findCode(codeId: string, now: number): Promise<ConsoleCode | undefined>
  addCode(code: ConsoleCode, entry: AuditEntry): Promise<void>

  /** Deletes expired sessions and codes; returns how many. */
  removeExpired(now: number): Promise<number>
}

import { hash } from 'node:crypto'

/** Sessions and one-time links are stored under the hash of a value that only the browser has. */
export const toSessionId = (value: string): string => hash('sha256', value, 'base64url')

export const SESSION_LIFETIME_MS = 8 * 3_600_000
export const LINK_LIFETIME_MS = 5 * 60_000
export const MAX_SESSIONS_PER_PARTNER = 20

/** The access token of a session, as `expiresIn` reports it. */
export const CONSOLE_TOKEN_SECONDS = 600

/** A browser that is signed in to the console. */
export interface ConsoleSession {
  /** Base64url of the SHA-256 of the cookie's value: it identifies the session without revealing the cookie. */
  sessionId: string
  partnerUuid: string
  /** The secret with which it was opened; null for a one-time link. The session ends with the secret. */
  secretId: string | null
  createdAt: number
  expiresAt: number
  /** Of the browser that signed in. */
  address: string
  agent: string
}

/** A session with the facts about its partner that a list shows. */
export interface ListedSession extends ConsoleSession {
  clientId: string
  partnerName: string
}

/** A one-time link to the console. */
export interface ConsoleCode {
  /** Base64url of the SHA-256 of the code. */
  codeId: string
  partnerUuid: string
  expiresAt: number
}

/** The sessions to end so that there is room for another one; `live` is ordered, the oldest first. */
export const chooseSurplus = (live: readonly string[], maxLive: number): string[] =>
  live.slice(0, Math.max(0, live.length - maxLive + 1))

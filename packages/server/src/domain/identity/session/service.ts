import { TtlCache } from '../../../kernel/cache.ts'
import { type Clock, isoInstant } from '../../../kernel/clock.ts'
import { newSecretValue } from '../../../kernel/ids.ts'
import type { MaybePromise } from '../../../kernel/maybe-promise.ts'
import { repeatEvery } from '../../../kernel/repeat-every.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import type { Actor } from '../audit.ts'
import type { Partner } from '../partner/partner.ts'
import type { PartnerStore } from '../partner/store.ts'
import {
  LINK_LIFETIME_MS,
  type ListedSession,
  MAX_SESSIONS_PER_PARTNER,
  SESSION_LIFETIME_MS,
  toSessionId,
} from './session.ts'
import type { SessionStore } from './store.ts'

/** How long the end of a session by another program can go unnoticed. */
const FRESH_MS = 2_000
const MAX_CACHED = 10_000
const MAX_AGENT_LENGTH = 300

/** The browser that signs in, for the list of sessions and the audit log. */
export interface Browser {
  address: string
  agent: string
  traceId: string
}

export interface ConsoleSessions {
  /** The live session of an id. */
  find(sessionId: string): MaybePromise<ListedSession | undefined>
  list: SessionStore['list']
  /** Opens a session for a partner that has presented a secret; returns the value of its cookie. */
  signIn(partner: Partner, secretId: string, browser: Browser): Promise<string>
  /** The enabled partner that a code is for; the code stays valid. */
  findPartner(code: string): Promise<Partner | undefined>
  /** Redeems a code; returns the value of the cookie, or undefined if the code is unknown, used or expired. */
  enter(partner: Partner, code: string, browser: Browser): Promise<string | undefined>
  signOut(session: ListedSession, browser: Browser): Promise<void>
  /** Ends a session on behalf of an operator. */
  end(sessionId: string, actor: Actor): Promise<void>
  /** Creates a code for a one-time link. */
  addCode(
    partnerUuid: string,
    actor: Actor,
    lifetimeMs?: number,
  ): Promise<{ code: string; expiresAt: number }>
  /** To be called when sessions or partners have changed. */
  invalidate(): void
}

export function createConsoleSessions(deps: {
  store: SessionStore
  partners: Pick<PartnerStore, 'get'>
  clock: Clock
  /** Resolves when the other caches of sessions are invalidated. */
  onChange?(): Promise<void>
}): ConsoleSessions {
  const { store, partners, clock } = deps
  const live = new TtlCache<string, ListedSession | undefined>({
    ttlMs: FRESH_MS,
    max: MAX_CACHED,
    clock,
    load: (sessionId) => store.find(sessionId, clock.now()),
  })

  const open = async (
    partner: Partner,
    { address, agent, traceId }: Browser,
    secretId: string | null,
    codeId?: string,
  ): Promise<string | undefined> => {
    const now = clock.now()
    const { value, sessionId } = newSession()
    const outcome = await store.add(
      {
        sessionId,
        partnerUuid: partner.partnerUuid,
        secretId,
        // Like a token, a session of a partner that was just enabled again is newer than its `tokensNotBefore`.
        createdAt: Math.max(now, partner.tokensNotBefore * 1_000),
        expiresAt: now + SESSION_LIFETIME_MS,
        address,
        agent: agent.slice(0, MAX_AGENT_LENGTH),
      },
      { maxLive: MAX_SESSIONS_PER_PARTNER, ...(codeId === undefined ? {} : { codeId }) },
      {
        at: now,
        actor: { kind: 'partner', id: partner.partnerUuid, name: partner.name, traceId },
        action: 'console.signed-in',
        target: partner.partnerUuid,
        detail: { sessionId, address, ...(secretId === null ? { by: 'link' } : { by: 'secret', secretId }) },
      },
    )
    return outcome === 'added' ? value : undefined
  }

  const end = async (sessionId: string, actor: Actor, session: ListedSession): Promise<void> => {
    const { partnerUuid, address } = session
    await store.end(sessionId, {
      at: clock.now(),
      actor,
      action: 'console.signed-out',
      target: partnerUuid,
      detail: { sessionId, address },
    })
    live.invalidate()
    await deps.onChange?.()
  }

  return {
    find: (sessionId) => live.get(sessionId),
    list: (now, page) => store.list(now, page),

    async signIn(partner, secretId, browser) {
      const value = await open(partner, browser, secretId)
      if (value === undefined) throw new Error('A session without a code was not added.')
      return value
    },

    async findPartner(code) {
      const found = await store.findCode(toSessionId(code), clock.now())
      const partner = found && (await partners.get(found.partnerUuid))
      return partner?.enabled ? partner : undefined
    },

    enter: (partner, code, browser) => open(partner, browser, null, toSessionId(code)),

    signOut: (session, { address, traceId }) =>
      end(
        session.sessionId,
        { kind: 'partner', id: session.partnerUuid, name: session.partnerName, traceId },
        { ...session, address },
      ),

    async end(sessionId, actor) {
      const session = await store.find(sessionId, clock.now())
      if (!session) throw notFound('session')
      await end(sessionId, actor, session)
    },

    async addCode(partnerUuid, actor, lifetimeMs = LINK_LIFETIME_MS) {
      const partner = await partners.get(partnerUuid)
      if (!partner) throw notFound('partner')
      if (!partner.enabled) throw new AppError('conflict', 'This partner is disabled.')
      const code = newSecretValue()
      const at = clock.now()
      const expiresAt = at + lifetimeMs
      await store.addCode(
        { codeId: toSessionId(code), partnerUuid, expiresAt },
        {
          at,
          actor,
          action: 'console.link-added',
          target: partnerUuid,
          detail: { expiresAt: isoInstant(expiresAt) },
        },
      )
      return { code, expiresAt }
    },

    invalidate: () => live.invalidate(),
  }
}

/** An id that begins with a dash could not be passed as a command-line argument. */
function newSession(): { value: string; sessionId: string } {
  for (;;) {
    const value = newSecretValue()
    const sessionId = toSessionId(value)
    if (!sessionId.startsWith('-')) return { value, sessionId }
  }
}

const REMOVE_EVERY_MS = 10 * 60_000

/** Periodically deletes expired sessions and codes. Several instances may do so concurrently. */
export const startSessionRetention = (
  store: Pick<SessionStore, 'removeExpired'>,
  clock: Clock,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } =>
  repeatEvery(REMOVE_EVERY_MS, async () => void (await store.removeExpired(clock.now())), onError)

import type { ConsoleLink, ConsoleSession } from '@portico/wire/operator/session'
import type { ListedSession } from '../../../domain/identity/session/session.ts'

const toIso = (at: number): string => new Date(at).toISOString()

export const toWireSession = (session: ListedSession): ConsoleSession => ({
  sessionId: session.sessionId,
  partnerUuid: session.partnerUuid,
  partnerName: session.partnerName,
  secretId: session.secretId,
  createdAt: toIso(session.createdAt),
  expiresAt: toIso(session.expiresAt),
  address: session.address,
  agent: session.agent,
})

/** The one-time link for a code. */
export const toWireLink = (
  { code, expiresAt }: { code: string; expiresAt: number },
  partnerUuid: string,
  publicUrl: string,
): ConsoleLink => ({
  url: `${publicUrl}/console/enter?code=${code}`,
  partnerUuid,
  expiresAt: toIso(expiresAt),
})

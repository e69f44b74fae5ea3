import type { Client } from '../../domain/identity/partner/store.ts'
import type { Browser } from '../../domain/identity/session/service.ts'
import { type ListedSession, toSessionId } from '../../domain/identity/session/session.ts'
import type { Call } from '../pipeline/call.ts'
import type { Services } from '../services.ts'
import { readCookie } from './cookie.ts'

export interface LiveSession {
  session: ListedSession
  client: Client
}

export type SessionServices = Pick<Services, 'sessions' | 'directory' | 'isOperatorNetwork'>

/** Operators can use the console only from the networks of the operator API. */
export const isOutside = (
  { roles }: Pick<Client, 'roles'>,
  { address }: Call,
  { isOperatorNetwork }: Pick<Services, 'isOperatorNetwork'>,
): boolean => roles.includes('Operator') && !isOperatorNetwork(address)

/** The session of the request's cookie, if it is live. */
export async function findLiveSession(
  call: Call,
  services: SessionServices,
): Promise<LiveSession | undefined> {
  const value = readCookie(call.headers)
  const session = value === undefined ? undefined : await services.sessions.find(toSessionId(value))
  if (!session) return undefined
  const client = await services.directory.find(session.clientId)
  return client?.enabled && !isOutside(client, call, services) ? { session, client } : undefined
}

export const toBrowser = ({ address, headers: { 'user-agent': agent = '' }, id }: Call): Browser => ({
  address,
  agent,
  traceId: id,
})

import type { Account } from '@portico/wire/v2/account'
import type { Call } from '../pipeline/call.ts'
import { type AccountServices, loadAccount } from '../resources/account.ts'
import type { LiveSession } from './live-session.ts'
import { issueSessionToken, type SessionToken, type TokenServices } from './session-token.ts'

/** The data that the script would otherwise request first: a token, and the partner's account. */
export interface PageData {
  session: SessionToken
  /** The response of GET /v2/account; null for a client that is only an operator. */
  account: Account | null
}

export type PageDataServices = TokenServices & AccountServices

/**
 * Whether the user opened the page: a script or a frame that requests it gets the page without a token. So does a
 * browser that does not send these headers; its script requests a token.
 */
const isNavigation = ({ method, headers }: Call): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'

/** Undefined if the script has to request the data itself. */
export async function loadPageData(
  call: Call,
  found: LiveSession,
  services: PageDataServices,
): Promise<PageData | undefined> {
  if (!isNavigation(call)) return undefined
  const session = await issueSessionToken(found, services)
  if ('retryAfterSeconds' in session) return undefined
  const isPartner = found.client.roles.some((role) => role !== 'Operator')
  return { session, account: isPartner ? await loadAccount(found.client, services) : null }
}

import type { Account } from '@portico/sdk'
import { signal } from '@preact/signals'
import { pageData, type Session, type TokenResponse } from './page-data.ts'

/** Part of its lifetime after which a token is renewed. */
const RENEW_AT = 0.8

export const session = signal<Session | undefined>(undefined)

/** Tokens of an external issuer cannot be renewed here: the user pastes one, and another when it expires. */
export const isTokenPasted =
  document.querySelector<HTMLMetaElement>('meta[name=portico-sign-in]')?.content === 'token'

/** In memory only: a token is never written to the browser's storage. */
let token: { value: string; renewAt: number } | undefined
let pending: Promise<string> | undefined

if (pageData) keepToken(pageData.session)

/** The access token of the session. If the session has ended, shows the sign-in form. */
export function getToken(): Promise<string> {
  if (isTokenPasted) return token ? Promise.resolve(token.value) : waitForToken()
  if (token && performance.now() < token.renewAt) return Promise.resolve(token.value)
  pending ??= requestToken().finally(() => {
    pending = undefined
  })
  return pending
}

/** The API has rejected the token: the session may have ended. */
export function dropToken(): void {
  token = undefined
  if (isTokenPasted) session.value = undefined
}

let acceptToken: ((value: string) => void) | undefined

/** Calls wait until the user has pasted another token. */
function waitForToken(): Promise<string> {
  pending ??= new Promise<string>((resolve) => {
    acceptToken = resolve
  }).finally(() => {
    pending = undefined
  })
  return pending
}

/** Uses a token of the external issuer for as long as the page is open. Throws if the server rejects it. */
export async function signInWithToken(value: string): Promise<void> {
  const headers = { accept: 'application/json', authorization: `Bearer ${value}` }
  const response = await fetch('/v2/account', { headers, credentials: 'omit' })
  if (!response.ok) throw new Error('The server does not accept this token.')
  const { roles, partnerUuid, name, clientId } = (await response.json()) as Account
  token = { value, renewAt: Infinity }
  session.value = { roles, partner: { partnerUuid, name, clientId } }
  acceptToken?.(value)
}

async function requestToken(): Promise<string> {
  const response = await fetch('/console/token', { method: 'POST', headers: { accept: 'application/json' } })
  if (response.status === 401) return leave()
  if (!response.ok) throw new Error(`The server did not renew the session (${response.status}).`)
  const body = (await response.json()) as TokenResponse
  keepToken(body)
  return body.accessToken
}

function keepToken({ accessToken, expiresIn, ...rest }: TokenResponse): void {
  token = { value: accessToken, renewAt: performance.now() + expiresIn * 1000 * RENEW_AT }
  session.value = rest
}

/** Without a session, the server responds to the same address with the sign-in form. */
function leave(): Promise<never> {
  location.reload()
  return new Promise(() => {})
}

export const isOperator = (): boolean => session.value?.roles.includes('Operator') ?? false

/** Whether the partner has a role, such as `Devices.Control`. */
export const hasRole = (role: string): boolean => session.value?.roles.includes(role) ?? false

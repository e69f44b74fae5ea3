import type { Client } from '../../domain/identity/partner/store.ts'
import { readCredentials, findValue } from './credentials.ts'
import { TokenError } from './errors.ts'
import { type Form, readForm, type FormRequest } from './form.ts'

/** One scope: `api://<client_id>/.default`. The characters are those of RFC 6749, 3.3. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/
const DEFAULT_SUFFIX = '/.default'

/** A token request and its credentials. */
export interface TokenRequest {
  clientId: string
  secret: string
  scope: string
}

/** Checks everything that needs only the request, in this order. */
export function readTokenRequest(sent: FormRequest): TokenRequest {
  const form = readForm(sent)
  refuseRepeats(form)
  requireGrantType(form)
  const { clientId, secret } = readCredentials(sent, form)
  return {
    clientId: requireValue(clientId, 'client_id').toLowerCase(),
    secret,
    scope: requireValue(findValue(form, 'scope'), 'scope'),
  }
}

export function requireOwnScope(scope: string, client: Client): void {
  if (!SCOPE.test(scope)) throw new TokenError(70011)
  if (!scope.endsWith(DEFAULT_SUFFIX)) throw new TokenError(1002012)
  const resource = scope.slice(0, -DEFAULT_SUFFIX.length)
  if (resource.toLowerCase() !== `api://${client.clientId}`) throw new TokenError(500011)
}

function refuseRepeats(form: Form): void {
  for (const values of form.values()) {
    if (values.length > 1) throw new TokenError(9002313, { about: 'a parameter is repeated' })
  }
}

function requireGrantType(form: Form): void {
  if (requireValue(findValue(form, 'grant_type'), 'grant_type') !== 'client_credentials')
    throw new TokenError(70003)
}

function requireValue(value: string | undefined, name: string): string {
  if (value === undefined) throw new TokenError(900144, { about: `'${name}'` })
  return value
}

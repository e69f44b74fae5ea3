import { TokenError } from './errors.ts'
import { type Form, formDecode, type FormRequest } from './form.ts'

export interface Credentials {
  clientId: string | undefined
  secret: string
}

const BASIC = /^basic +([a-z0-9+/]+={0,2}) *$/i

const malformed = (about: string, cause?: unknown): TokenError => new TokenError(9002313, { about, cause })

/** Reads the credentials from the form or from HTTP Basic, never from both. An empty value counts as absent. */
export function readCredentials({ headers }: Pick<FormRequest, 'headers'>, form: Form): Credentials {
  const inForm = { clientId: findValue(form, 'client_id'), secret: findValue(form, 'client_secret') }
  const { authorization } = headers
  if (authorization === undefined) return withSecret(inForm)
  const basic = readBasic(authorization)
  if (inForm.secret !== undefined)
    throw malformed('the secret is in both the body and the Authorization header')
  const { clientId } = inForm
  if (clientId !== undefined && clientId.toLowerCase() !== basic.clientId?.toLowerCase()) {
    throw malformed('the body and the Authorization header name different clients')
  }
  return withSecret(basic)
}

const withSecret = ({
  clientId,
  secret,
}: {
  clientId: string | undefined
  secret: string | undefined
}): Credentials => {
  if (secret === undefined) throw new TokenError(7000216)
  return { clientId, secret }
}

/** RFC 6749, 2.3.1: both parts are form-encoded before they are joined and base64-encoded. */
function readBasic(authorization: string): { clientId: string | undefined; secret: string | undefined } {
  if (/^bearer\b/i.test(authorization))
    throw malformed('tokens are not accepted here, only client credentials')
  const encoded = BASIC.exec(authorization)?.[1]
  if (encoded === undefined) throw malformed('the Authorization header is not HTTP Basic')
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon === -1) throw malformed('the Authorization header is not HTTP Basic')
  try {
    return {
      clientId: formDecode(pair.slice(0, colon)) || undefined,
      secret: formDecode(pair.slice(colon + 1)) || undefined,
    }
  } catch (cause) {
    throw malformed('the Authorization header is not properly encoded', cause)
  }
}

export const findValue = (form: Form, name: string): string | undefined => form.get(name)?.[0] || undefined

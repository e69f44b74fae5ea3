import { EXAMPLE } from '@portico/wire/example-ids'
import type { TokenErrorBody } from '@portico/wire/oauth/token'
import { type IssuerCode, TokenError } from './errors.ts'
import { toTokenErrorBody } from './render-error.ts'

/** What replaces the % in the text of an error. */
const ABOUT: Partial<Record<IssuerCode, string>> = { 900144: "'scope'", 9002313: 'a parameter is repeated' }

/** The body of an error of the token endpoint as a request might get it. */
export function toExampleTokenError(code: IssuerCode, authUrl: string): TokenErrorBody {
  const { [code]: about = '' } = ABOUT
  return toTokenErrorBody(new TokenError(code, { about }), {
    authUrl,
    traceId: EXAMPLE.traceId,
    correlationId: EXAMPLE.secretId,
    timestamp: '2026-11-15T03:32:28.000Z',
  })
}

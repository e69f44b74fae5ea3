import { randomBytes, randomUUID } from 'node:crypto'
import type { HttpRequest } from './saturate.ts'
import { tokenForm, TOKEN_PATH } from './installation.ts'
import { hourlyReadRequests } from './read-requests.ts'
import type { Dataset } from './dataset.ts'

/** More than the capacity of the cache of rejected tokens. */
const DISTINCT_TOKENS = 20_000

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Requests that the server rejects, by reason. */
export function refusedRequests(year: Dataset): Record<string, HttpRequest[]> {
  const [read] = hourlyReadRequests(year, year.to - 3 * 86_400_000, 1)
  if (!read) throw new Error('There is nothing to read.')
  const { authorization = '', ...headers } = read.headers
  const [head = '', payload = ''] = authorization.slice('Bearer '.length).split('.')
  const withToken = (token: string): HttpRequest => ({
    ...read,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  /** Valid except for the signature. */
  const forged = (): string => `${head}.${payload}.${randomBytes(64).toString('base64url')}`
  const post = (clientId: string): HttpRequest => ({
    method: 'POST',
    path: TOKEN_PATH,
    headers: FORM,
    body: tokenForm({ clientId, clientSecret: randomBytes(32).toString('base64url') }).toString(),
  })
  return {
    'no token': [{ ...read, headers }],
    'a token that is not a JWT': [withToken('not.a.token')],
    'the same forged token again': [withToken(forged())],
    'a different forged token each time': Array.from({ length: DISTINCT_TOKENS }, () => withToken(forged())),
    'an unknown address': [{ method: 'GET', path: '/nothing', headers: {} }],
    'a malformed address': [{ method: 'GET', path: '/v2/%zz', headers: {} }],
    'a wrong client secret': Array.from({ length: 1_000 }, () => post(year.partner.clientId)),
    'an unknown client': Array.from({ length: 1_000 }, () => post(randomUUID())),
  }
}

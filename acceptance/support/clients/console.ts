import assert from 'node:assert/strict'
import { asString } from '../json.ts'
import type { Portico } from '../servers/portico.ts'
import { type Answer, send } from './requests.ts'

export interface Credentials {
  clientId: string
  clientSecret: string
}

/** Posts the sign-in form as a browser does. */
export const postSignIn = (
  { origin }: Pick<Portico, 'origin'>,
  { clientId, clientSecret, ...more }: Credentials & { next?: string },
  headers: Record<string, string> = {},
): Promise<Answer> =>
  send(`${origin}/console/session`, {
    method: 'POST',
    body: new URLSearchParams({ clientId, clientSecret, ...more }),
    headers: { origin, ...headers },
  })

/** The cookie that a response sets, as the browser sends it back. */
export function readCookie({ headers }: Answer): string {
  const [cookie, ...others] = headers.getSetCookie()
  assert.ok(cookie !== undefined && others.length === 0, 'the response sets one cookie')
  return cookie.split(';', 1)[0] ?? ''
}

/** Signs in; returns the cookie of the session. */
export async function signIn(portico: Portico, credentials: Credentials): Promise<string> {
  const answer = await postSignIn(portico, credentials)
  assert.equal(answer.status, 303, answer.text)
  assert.equal(answer.headers.get('location'), '/console')
  return readCookie(answer)
}

/** A POST of the page's own script. */
export const postFromPage = (
  { origin }: Pick<Portico, 'origin'>,
  path: '/console/token' | '/console/session/end',
  headers: Record<string, string>,
): Promise<Answer> => send(`${origin}${path}`, { method: 'POST', headers: { origin, ...headers } })

export const requestConsoleToken = (portico: Portico, cookie: string): Promise<Answer> =>
  postFromPage(portico, '/console/token', { cookie })

/** An access token of a session. */
export async function consoleToken(portico: Portico, cookie: string): Promise<string> {
  const answer = await requestConsoleToken(portico, cookie)
  assert.equal(answer.status, 200, answer.text)
  return asString(answer.json['accessToken'])
}

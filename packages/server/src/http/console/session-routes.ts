import type { Client } from '../../domain/identity/partner/store.ts'
import type { LimitRequest } from '../../domain/identity/rate-limit/limits.ts'
import { AppError } from '../../kernel/errors.ts'
import { bytesBody } from '../pipeline/body/read-body.ts'
import type { Call } from '../pipeline/call.ts'
import { checkSecret, consumeUnit } from '../pipeline/check-secret.ts'
import { MAX_TOKEN_BODY_BYTES } from '../pipeline/limits.ts'
import { routeNotFound } from '../pipeline/problem.ts'
import { jsonReply, type Reply } from '../pipeline/reply.ts'
import type { RunnableRoute } from '../pipeline/route.ts'
import type { Services } from '../services.ts'
import { CLEAR_COOKIE, readCookie, setCookie } from './cookie.ts'
import type { FlashCode } from './flash.ts'
import { findLiveSession, isOutside, type SessionServices, toBrowser } from './live-session.ts'
import { toNextPage } from './next.ts'
import { requireOwnOrigin } from './origin.ts'
import { issueSessionToken, type TokenServices } from './session-token.ts'
import { CONSOLE_GATES, NO_STORE } from './surface.ts'

const redirect = (location: string, ...cookies: string[]): Reply => ({
  status: 303,
  type: undefined,
  headers: [...NO_STORE, 'location', location, ...cookies.flatMap((cookie) => ['set-cookie', cookie])],
  body: undefined,
})

const toSignIn = (flash: FlashCode, next = '/console'): string =>
  `/console/sign-in?${new URLSearchParams({ flash, ...(next === '/console' ? {} : { next }) }).toString()}`

/** Sign-ins per minute and client. Tokens of the token endpoint are counted separately. */
const signInLimit = (clientId: string): LimitRequest => ({
  kind: 'tokens',
  key: `console ${clientId}`,
  windows: [{ limit: 30, ms: 60_000 }],
})

type SignInServices = SessionServices &
  Pick<Services, 'addresses' | 'clock' | 'isRateLimited' | 'lastUse' | 'limits' | 'trustsEveryProxy'>

type Credentials = { client: Client; secretId: string } | { flash: FlashCode }

/** The error does not reveal which of the two is wrong, or that the partner is disabled. */
async function checkCredentials(
  call: Call,
  services: SignInServices,
  form: URLSearchParams,
): Promise<Credentials> {
  const client = await services.directory.find((form.get('clientId') ?? '').trim().toLowerCase())
  if (client && isOutside(client, call, services)) throw routeNotFound()
  if (!client?.enabled) return { flash: 'wrong' }
  const check = await checkSecret(call, services, client, (form.get('clientSecret') ?? '').trim())
  if (check.outcome === 'limited') return { flash: 'limited' }
  if (check.outcome !== 'valid') return { flash: 'wrong' }
  const wait = await consumeUnit(services, signInLimit(client.clientId))
  return wait === undefined ? { client, secretId: check.secretId } : { flash: 'limited' }
}

/** POST /console/session: the sign-in form. */
const signIn: RunnableRoute = {
  method: 'POST',
  path: '/session',
  gates: CONSOLE_GATES,
  reads: bytesBody(MAX_TOKEN_BODY_BYTES),
  async handle(call, services: SignInServices) {
    requireOwnOrigin(call.request, services.addresses.publicUrl)
    const form = new URLSearchParams(Buffer.isBuffer(call.body) ? call.body.toString() : '')
    const next = toNextPage(form.get('next'))
    const checked = await checkCredentials(call, services, form)
    if ('flash' in checked) return redirect(toSignIn(checked.flash, next))
    const { client, secretId } = checked
    services.lastUse.record(secretId)
    return redirect(next, setCookie(await services.sessions.signIn(client, secretId, toBrowser(call))))
  },
}

/** GET /console/enter: a one-time link. HEAD, which programs send to inspect a link, does not redeem it. */
const enter: RunnableRoute = {
  method: 'GET',
  path: '/enter',
  gates: CONSOLE_GATES,
  async handle(call, services: SessionServices) {
    const code = URL.parse(call.url, 'http://localhost')?.searchParams.get('code') ?? ''
    const { sessions } = services
    const partner = await sessions.findPartner(code)
    if (partner && isOutside(partner, call, services)) throw routeNotFound()
    const value =
      partner && call.method === 'GET' ? await sessions.enter(partner, code, toBrowser(call)) : undefined
    return value === undefined ? redirect(toSignIn('link')) : redirect('/console', setCookie(value))
  },
}

/** POST /console/token: an access token for the browser's session, which its scripts keep in memory. */
const token: RunnableRoute = {
  method: 'POST',
  path: '/token',
  gates: CONSOLE_GATES,
  reads: bytesBody(MAX_TOKEN_BODY_BYTES),
  async handle(call, services: SessionServices & TokenServices) {
    requireOwnOrigin(call.request, services.addresses.publicUrl)
    const found = await findLiveSession(call, services)
    if (!found) throw noSession(call)
    const issued = await issueSessionToken(found, services)
    if ('retryAfterSeconds' in issued)
      throw new AppError('rate-limited', 'Too many requests were sent from the console.', issued)
    return jsonReply(issued, 200, NO_STORE)
  },
}

const noSession = ({ headers }: Call): AppError =>
  readCookie(headers) === undefined
    ? new AppError('token-not-present', 'This browser is not signed in to the console.')
    : new AppError('token-expired', 'The console session has ended; sign in again.')

/** POST /console/session/end: signs out. */
const signOut: RunnableRoute = {
  method: 'POST',
  path: '/session/end',
  gates: CONSOLE_GATES,
  reads: bytesBody(MAX_TOKEN_BODY_BYTES),
  async handle(call, services: SessionServices & Pick<Services, 'addresses'>) {
    requireOwnOrigin(call.request, services.addresses.publicUrl)
    const found = await findLiveSession(call, services)
    if (found) await services.sessions.signOut(found.session, toBrowser(call))
    return redirect(toSignIn('signed-out'), CLEAR_COOKIE)
  },
}

export const SESSION_ROUTES: readonly RunnableRoute[] = [signIn, enter, token, signOut]

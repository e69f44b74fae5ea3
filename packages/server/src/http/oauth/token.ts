import type { TokenResponse } from '@portico/wire/oauth/token'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Counted, waitOf } from '../../limit/limits.ts'
import { findSecret, isLive } from '../../partner/secret.ts'
import type { Client } from '../../partner/store.ts'
import { issueToken } from '../../token/issue.ts'
import { EXPIRES_IN_SECONDS } from '../../token/lifetime.ts'
import { MAX_TOKEN_BODY_BYTES } from '../limits.ts'
import type { Services } from '../services.ts'
import { readCredentials, valueOf } from './credentials.ts'
import { TokenError } from './errors.ts'
import { type Form, readForm } from './form.ts'
import { sendTokenError } from './send-error.ts'

const MINUTE_MS = 60_000
const PER_MINUTE = { tokens: 30, 'wrong-secrets': 10 } satisfies Partial<Record<Counted, number>>

/** One scope: `api://<client_id>/.default`. The characters are those of RFC 6749, 3.3. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/
const DEFAULT_SUFFIX = '/.default'

/** POST {auth_url}/oauth2/v2.0/token: its own body, its own errors, never cached. */
export async function tokenEndpoint(app: FastifyInstance, services: Services): Promise<void> {
  const { clock, directory, keys, addresses, tenant, metrics, lastUse } = services

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_TOKEN_BODY_BYTES },
    (_request, body, done) => done(null, body),
  )
  app.setErrorHandler((error, request, reply) => sendTokenError(error, request, reply, services))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    requirePost(request)
    done()
  })

  app.all('/oauth2/v2.0/token', async (request, reply): Promise<string> => {
    const form = readForm(request)
    refuseRepeats(form)
    requireGrantType(form)
    const credentials = readCredentials(request, form)
    const clientId = requireValue(credentials.clientId, 'client_id')
    const scope = requireValue(valueOf(form, 'scope'), 'scope')
    const client = await requireKnownClient(clientId)
    const secretId = await requireSecret(client, credentials.secret, request.ip)
    requireOwnScope(scope, client)
    await throttle('tokens', client.clientId)
    lastUse.record(secretId)
    metrics.tokensIssued.inc()
    reply.header('content-type', 'application/json; charset=utf-8')
    return JSON.stringify(await issue(client))
  })

  async function requireKnownClient(clientId: string): Promise<Client> {
    const client = await directory.find(clientId.toLowerCase())
    if (!client) throw new TokenError(700016)
    if (!client.enabled) throw new TokenError(7000112)
    return client
  }

  /** Wrong secrets are slowed down per client and address; a right one always passes. */
  async function requireSecret(client: Client, value: string, address: string): Promise<string> {
    const secret = findSecret(client.secrets, value)
    if (secret && isLive(secret, clock.now())) return secret.secretId
    await throttle('wrong-secrets', `${client.clientId} ${address}`)
    throw new TokenError(secret ? 7000222 : 7000215)
  }

  async function throttle(what: keyof typeof PER_MINUTE, key: string): Promise<void> {
    if (!services.isRateLimited) return
    const windows = [{ limit: PER_MINUTE[what], ms: MINUTE_MS }]
    const retryAfterSeconds = waitOf(await services.limits.take({ what, key, windows }))
    if (retryAfterSeconds !== undefined) throw new TokenError(90055, { retryAfterSeconds })
  }

  async function issue(client: Client): Promise<TokenResponse> {
    const key = await keys.current()
    return {
      token_type: 'Bearer',
      expires_in: EXPIRES_IN_SECONDS,
      ext_expires_in: EXPIRES_IN_SECONDS,
      access_token: issueToken({ key, issuer: addresses.issuer, tenant, client, now: clock.now() }),
    }
  }
}

function requirePost(request: FastifyRequest): void {
  if (request.method !== 'POST') throw new TokenError(900561)
}

function refuseRepeats(form: Form): void {
  for (const values of form.values()) {
    if (values.length > 1) throw new TokenError(9002313, { about: 'a parameter is sent more than once' })
  }
}

function requireGrantType(form: Form): void {
  if (requireValue(valueOf(form, 'grant_type'), 'grant_type') !== 'client_credentials')
    throw new TokenError(70003)
}

function requireValue(value: string | undefined, name: string): string {
  if (value === undefined) throw new TokenError(900144, { about: `'${name}'` })
  return value
}

function requireOwnScope(scope: string, client: Client): void {
  if (!SCOPE.test(scope)) throw new TokenError(70011)
  if (!scope.endsWith(DEFAULT_SUFFIX)) throw new TokenError(1002012)
  const resource = scope.slice(0, -DEFAULT_SUFFIX.length)
  if (resource.toLowerCase() !== `api://${client.clientId}`) throw new TokenError(500011)
}

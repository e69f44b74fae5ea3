import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Use, waitOf } from '../../limit/limits.ts'
import { findSecret, isLive } from '../../partner/secret.ts'
import type { Client } from '../../partner/store.ts'
import { MAX_TOKEN_BODY_BYTES } from '../limits.ts'
import type { Services } from '../services.ts'
import { TokenError } from './errors.ts'
import { handOut } from './hand-out.ts'
import { sendTokenError } from './send-error.ts'
import { useOfToken, useOfWrongSecret } from './token-limits.ts'
import { readTokenRequest, requireOwnScope } from './token-request.ts'

/** Below the tenant. */
export const TOKEN_PATH = '/oauth2/v2.0/token'

/** A token is its caller's alone. */
export const NEVER_STORED = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

/** POST {auth_url}/oauth2/v2.0/token: its own body, its own errors, never cached. */
export async function tokenEndpoint(app: FastifyInstance, services: Services): Promise<void> {
  const { clock, directory, keys } = services

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_TOKEN_BODY_BYTES },
    (_request, body, done) => done(null, body),
  )
  app.setErrorHandler((error, request, reply) => sendTokenError(error, request, reply, services))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(NEVER_STORED)
    requirePost(request)
    done()
  })

  app.all(TOKEN_PATH, async (request, reply): Promise<string> => {
    const { clientId, secret, scope } = readTokenRequest(request)
    const client = await requireKnownClient(clientId)
    const secretId = await requireSecret(client, secret, addressForLimits(request))
    requireOwnScope(scope, client)
    await throttle(useOfToken(client.clientId))
    reply.header('content-type', 'application/json; charset=utf-8')
    return handOut(services, client, secretId, await keys.current())
  })

  async function requireKnownClient(clientId: string): Promise<Client> {
    const client = await directory.find(clientId)
    if (!client) throw new TokenError(700016)
    if (!client.enabled) throw new TokenError(7000112)
    return client
  }

  /** With `TRUST_PROXY=on`, a client can forge its address in X-Forwarded-For and would get a new allowance for each. */
  const addressForLimits = (request: FastifyRequest): string =>
    services.trustsEveryProxy ? (request.socket.remoteAddress ?? '') : request.ip

  /** Wrong secrets are slowed down; a right one always passes. */
  async function requireSecret(client: Client, value: string, address: string): Promise<string> {
    const secret = findSecret(client.secrets, value)
    if (secret && isLive(secret, clock.now())) return secret.secretId
    await throttle(useOfWrongSecret(client.clientId, address))
    throw new TokenError(secret ? 7000222 : 7000215)
  }

  async function throttle(use: Use): Promise<void> {
    if (!services.isRateLimited) return
    const retryAfterSeconds = waitOf(await services.limits.take(use))
    if (retryAfterSeconds !== undefined) throw new TokenError(90055, { retryAfterSeconds })
  }
}

function requirePost(request: FastifyRequest): void {
  if (request.method !== 'POST') throw new TokenError(900561)
}

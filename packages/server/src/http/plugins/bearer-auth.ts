import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Role } from '../../partner/partner.ts'
import type { Client } from '../../partner/store.ts'
import type { Services } from '../services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token came with the request; null on the public pages. */
    caller: Client | null
  }
}

const BEARER = /^bearer +(\S+) *$/i

/** Inside a scope that has called this, every request carries a good token, unknown addresses included. */
export function requireToken(app: FastifyInstance, { verifier, unreadBytes }: Services): void {
  app.addHook('onRequest', async (request, { raw }) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) {
      throw new AppError('token-not-present', 'Send an access token: Authorization: Bearer <ACCESS_TOKEN>.')
    }
    request.caller = await verifier.verify(token)
    const { partnerUuid } = request.caller
    unreadBytes.requireRoom(partnerUuid)
    raw.once('prefinish', () => unreadBytes.hold(partnerUuid, raw))
  })
}

/** Roles are read live from the store, not from the token: a change holds at once. */
export function requireRole(app: FastifyInstance, role: Role): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!callerOf(request).roles.includes(role)) {
      throw new AppError('forbidden', `This needs the role ${role}.`)
    }
    done()
  })
}

export function callerOf(request: FastifyRequest): Client {
  if (!request.caller) throw new Error('This route is outside requireToken.')
  return request.caller
}

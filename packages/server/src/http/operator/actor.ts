import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../audit/audit.ts'
import { callerOf } from '../plugins/bearer-auth.ts'

/** Who is behind a request, for the audit. */
export const actorOf = (request: FastifyRequest): Actor => {
  const { partnerUuid, name } = callerOf(request)
  return { kind: 'partner', id: partnerUuid, name, traceId: request.id }
}

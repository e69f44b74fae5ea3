import type { FastifyRequest } from 'fastify'

/** For routes whose whole body is optional: no body means no wishes. */
export async function emptyBodyAsObject(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}

import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { AppError } from '../../errors.ts'

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Answers 405 with Allow where the address exists and the method does not. Call it first in a scope; call what it
 * returns after the last route.
 */
export function watchMethods(
  app: FastifyInstance,
  before: (request: FastifyRequest, reply: FastifyReply) => Promise<void> = async () => {},
): () => void {
  const methodsOf = new Map<string, Set<HTTPMethods>>()
  let watching = true
  app.addHook('onRoute', (route) => {
    if (!watching) return
    const methods = methodsOf.get(route.url) ?? new Set()
    for (const method of [route.method].flat()) methods.add(method)
    methodsOf.set(route.url, methods)
  })
  return () => {
    watching = false
    for (const [url, known] of methodsOf) {
      const allow = METHODS.filter((method) => known.has(method)).join(', ')
      app.route({
        method: METHODS.filter((method) => !known.has(method)),
        url: url.slice(app.prefix.length),
        schema: { hide: true },
        handler: async (request, reply) => {
          await before(request, reply)
          throw new AppError('method-not-allowed', `This address takes ${allow}.`, { allow })
        },
      })
    }
  }
}

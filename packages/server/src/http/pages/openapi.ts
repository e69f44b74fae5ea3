import type { FastifyInstance } from 'fastify'
import { noSuchAddress } from '../problem.ts'

/** The surfaces that describe themselves, by the name of their document. */
export type Surfaces = Map<string, FastifyInstance>

export async function openapiDocuments(
  app: FastifyInstance,
  { surfaces }: { surfaces: Surfaces },
): Promise<void> {
  app.get('/openapi/:document', async (request, reply) => {
    const { document } = request.params as { document: string }
    const surface = document.endsWith('.json') ? surfaces.get(document.slice(0, -'.json'.length)) : undefined
    if (!surface) throw noSuchAddress()
    reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' })
    return JSON.stringify(surface.swagger())
  })
}

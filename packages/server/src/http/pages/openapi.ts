import type { FastifyInstance } from 'fastify'
import { noSuchAddress } from '../problem.ts'
import { createJsonDocument, sendConstant } from './constant-document.ts'

/** The surfaces that describe themselves, by the name of their document. */
export type Surfaces = Map<string, FastifyInstance>

export async function openapiDocuments(
  app: FastifyInstance,
  { surfaces }: { surfaces: Surfaces },
): Promise<void> {
  serveDocuments(app, '/openapi', surfaces, (_name, surface) => surface.swagger())
}

/** Serves the document of each surface at `<path>/<surface name>.json`. */
export function serveDocuments(
  app: FastifyInstance,
  path: string,
  surfaces: Surfaces,
  build: (name: string, surface: FastifyInstance) => object,
): void {
  const documents = new Map(
    [...surfaces].map(([name, surface]) => [`${name}.json`, createJsonDocument(() => build(name, surface))]),
  )
  app.get(`${path}/:document`, async (request, reply) => {
    const { document } = request.params as { document: string }
    const load = documents.get(document)
    if (!load) throw noSuchAddress()
    reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' })
    return sendConstant(request, reply, load())
  })
}

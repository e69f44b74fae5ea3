import type { FastifyInstance } from 'fastify'
import { noSuchAddress } from '../../problem.ts'
import type { Surfaces } from '../openapi.ts'
import { toConsoleDocument } from './to-console-document.ts'

export const documentPath = (name: string): string => `/reference/documents/${name}.json`

export function consoleDocuments(app: FastifyInstance, surfaces: Surfaces): void {
  app.get('/reference/documents/:document', async (request, reply) => {
    const { document } = request.params as { document: string }
    const name = document.endsWith('.json') ? document.slice(0, -'.json'.length) : ''
    const surface = surfaces.get(name)
    if (!surface) throw noSuchAddress()
    reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' })
    return JSON.stringify(toConsoleDocument(name, surface.swagger(), surface.prefix))
  })
}

import type { FastifyInstance } from 'fastify'
import { serveDocuments, type Surfaces } from '../openapi.ts'
import { toConsoleDocument } from './to-console-document.ts'

const PATH = '/reference/documents'

export const documentPath = (name: string): string => `${PATH}/${name}.json`

export function consoleDocuments(app: FastifyInstance, surfaces: Surfaces): void {
  serveDocuments(app, PATH, surfaces, (name, surface) =>
    toConsoleDocument(name, surface.swagger(), surface.prefix),
  )
}

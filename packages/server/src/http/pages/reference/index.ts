import type { FastifyInstance } from 'fastify'
import type { Surfaces } from '../openapi.ts'
import { lazyBundle } from './bundle.ts'
import { consoleDocuments } from './documents.ts'
import { consolePage } from './page.ts'
import { consoleScript } from './script.ts'

/** The API console: every operation of the described surfaces, with a form to try it. Works without any other host. */
export async function apiConsole(app: FastifyInstance, { surfaces }: { surfaces: Surfaces }): Promise<void> {
  const loadBundle = lazyBundle()
  consolePage(app, surfaces, loadBundle)
  consoleScript(app, loadBundle)
  consoleDocuments(app, surfaces)
}

import type { ApiDocuments } from '../../pipeline/openapi/document.ts'
import type { RunnableRoute } from '../../pipeline/route.ts'
import { lazyBundle } from './bundle.ts'
import { createConsoleDocumentRoute } from './documents.ts'
import { createConsolePage } from './page.ts'
import { createConsoleScriptRoute } from './script.ts'

/** The API reference: every operation of the documented surfaces, with a form to try it. Needs no other host. */
export function createConsoleRoutes(documents: ApiDocuments): RunnableRoute[] {
  const loadBundle = lazyBundle()
  return [
    createConsolePage(documents, loadBundle),
    createConsoleScriptRoute(loadBundle),
    createConsoleDocumentRoute(documents),
  ]
}

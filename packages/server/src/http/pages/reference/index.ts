import type { ApiDocuments } from '../../pipeline/openapi/document.ts'
import type { RunnableRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { lazyBundle, createReferenceScriptRoute } from './bundle.ts'
import { createReferenceDocumentRoute } from './documents.ts'
import { createReferencePage } from './page.ts'

/** The API reference: every operation of the documented surfaces, with a form to try it. Needs no other host. */
export function createReferenceRoutes(
  documents: ApiDocuments,
  { hasConsole }: Pick<Services, 'hasConsole'>,
): RunnableRoute[] {
  const loadBundle = lazyBundle()
  return [
    createReferencePage(documents, loadBundle, hasConsole),
    createReferenceScriptRoute(loadBundle),
    createReferenceDocumentRoute(documents),
  ]
}

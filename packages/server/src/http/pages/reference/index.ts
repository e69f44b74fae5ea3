import type { ApiDocuments } from '../../pipeline/openapi/document.ts'
import type { RunnableRoute } from '../../pipeline/route.ts'
import { lazyBundle, createReferenceScriptRoute } from './bundle.ts'
import { createReferenceDocumentRoute } from './documents.ts'
import { createReferencePage } from './page.ts'

/** The API reference: every operation of the documented surfaces, with a form to try it. Needs no other host. */
export function createReferenceRoutes(documents: ApiDocuments): RunnableRoute[] {
  const loadBundle = lazyBundle()
  return [
    createReferencePage(documents, loadBundle),
    createReferenceScriptRoute(loadBundle),
    createReferenceDocumentRoute(documents),
  ]
}

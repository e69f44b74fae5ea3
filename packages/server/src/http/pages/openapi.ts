import { JSON_TYPE } from '../pipeline/reply.ts'
import { definePage, type RunnableRoute } from '../pipeline/route.ts'
import type { ApiDocuments } from '../pipeline/openapi/document.ts'
import { routeNotFound } from '../pipeline/problem.ts'
import { constantReply, createJsonDocument, type Serve } from './constant-document.ts'

/** Serves a document of each surface at `<path>/<surface name>.json`. */
export const createDocumentRoute = (
  path: string,
  documents: ApiDocuments,
  build: (name: string) => object,
): RunnableRoute => definePage(`${path}/{document}`, [], serveDocuments(documents, build))

/** Serves the document that the parameter `document` names: `<surface name>.json`. */
export function serveDocuments(documents: ApiDocuments, build: (name: string) => object): Serve {
  const loaders = new Map(
    [...documents.keys()].map((name) => [`${name}.json`, createJsonDocument(() => build(name))]),
  )
  return (call) => {
    const { document } = call.params
    const load = document === undefined ? undefined : loaders.get(document)
    if (!load) throw routeNotFound()
    return constantReply(call, load(), { type: JSON_TYPE, cacheControl: 'no-cache' })
  }
}

import { type ApiDocuments, buildDocument } from '../../pipeline/openapi/document.ts'
import type { RunnableRoute } from '../../pipeline/route.ts'
import { createDocumentRoute } from '../openapi.ts'
import { toReferenceDocument } from './to-reference-document.ts'

const PATH = '/reference/documents'

export const documentPath = (name: string): string => `${PATH}/${name}.json`

export const createReferenceDocumentRoute = (documents: ApiDocuments): RunnableRoute =>
  createDocumentRoute(PATH, documents, (name) =>
    toReferenceDocument(name, buildDocument(documents, name), `/${name}`),
  )

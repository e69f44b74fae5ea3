import { type ApiDocuments, buildDocument } from '../../pipeline/openapi/document.ts'
import type { RunnableRoute } from '../../pipeline/route.ts'
import { createDocumentRoute } from '../openapi.ts'

const PATH = '/reference/documents'

export const documentPath = (name: string): string => `${PATH}/${name}.json`

export const createReferenceDocumentRoute = (documents: ApiDocuments): RunnableRoute =>
  createDocumentRoute(PATH, documents, (name) =>
    toReferenceDocument(name, buildDocument(documents, name), `/${name}`),
  )

type Json = Record<string, unknown>

const TOKEN_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'Paste an access token, never a client secret.',
}
const WITH_TOKEN = [{ accessToken: [] }]

/**
 * A surface's document for the API reference. The published one declares the client credentials grant, for which API
 * references ask for the client secret; this one accepts a pasted token only. Requests go to the page's own origin,
 * whatever its address. The licence is removed, because the reference would link it to another host.
 */
function toReferenceDocument(name: string, document: object, serverPath: string): Json {
  const { info, components, paths, ...rest }: Json = { ...document }
  const { license: _, description, ...shownInfo } = asObject(info)
  return {
    ...rest,
    info: { ...shownInfo, description: [description, hint(name)].join('\n\n') },
    servers: [{ url: serverPath }],
    security: WITH_TOKEN,
    components: { ...asObject(components), securitySchemes: { accessToken: TOKEN_SCHEME } },
    paths: mapValues(asObject(paths), (item) => mapValues(asObject(item), toReferenceOperation)),
  }
}

/** Version 1 has no such records. */
const OTHER_IDENTIFIERS =
  ' Commands, events, webhooks, partners and their secrets have different ones in every installation: take them from the list that the description of the parameter names.'

const hint = (name: string): string =>
  `To try an operation, paste an access token under Authentication. [The quickstart](/) shows how to get one: your backend
requests it with its secret, which never leaves the backend. A pasted token is discarded when you leave this page.

The identifiers in the examples are those of the demo.${name === 'v1' ? '' : OTHER_IDENTIFIERS}

The published OpenAPI document is [/openapi/${name}.json](/openapi/${name}.json).`

function toReferenceOperation(operation: unknown): unknown {
  // A path may also have parameters or a summary.
  if (typeof operation !== 'object' || Array.isArray(operation)) return operation
  const { security, parameters, ...rest } = asObject(operation)
  return {
    ...rest,
    ...(Array.isArray(parameters) ? { parameters: parameters.map(untickedUnlessRequired) } : {}),
    // An operation that needs no token (an empty list) stays that way.
    ...(Array.isArray(security) ? { security: security.length === 0 ? [] : WITH_TOKEN } : {}),
  }
}

/** Otherwise the reference would send the example of every optional parameter, or the first value of its enum. */
function untickedUnlessRequired(parameter: unknown): unknown {
  const { example, ...rest } = asObject(parameter)
  if (rest['required'] === true) return parameter
  const value = example === undefined ? {} : { value: example }
  return { ...rest, examples: { default: { ...value, 'x-disabled': true } } }
}

const asObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {})

const mapValues = (object: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

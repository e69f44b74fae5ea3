import { type ApiDocuments, buildDocument } from '../../pipeline/openapi/document.ts'
import { definePage, type RunnableRoute } from '../../pipeline/route.ts'
import { serveByDemo } from '../constant-document.ts'
import { serveDocuments } from '../openapi.ts'

const PATH = '/reference/documents'

export const documentPath = (name: string): string => `${PATH}/${name}.json`

export const createReferenceDocumentRoute = (documents: ApiDocuments): RunnableRoute =>
  definePage(
    `${PATH}/{document}`,
    [],
    serveByDemo((isDemo) =>
      serveDocuments(documents, (name) =>
        toReferenceDocument(buildDocument(documents, name), `/${name}`, hint(name, isDemo)),
      ),
    ),
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
function toReferenceDocument(document: object, serverPath: string, hint: string): Json {
  const { info, components, paths, ...rest }: Json = { ...document }
  const { license: _, description, ...shownInfo } = asObject(info)
  return {
    ...rest,
    info: { ...shownInfo, description: [description, hint].join('\n\n') },
    servers: [{ url: serverPath }],
    security: WITH_TOKEN,
    components: { ...asObject(components), securitySchemes: { accessToken: TOKEN_SCHEME } },
    paths: mapValues(asObject(paths), (item) => mapValues(asObject(item), toReferenceOperation)),
  }
}

/** The identifiers of commands, events and the like differ even between demos. Version 1 has no such records. */
function describeIdentifiers(name: string, isDemo: boolean): string {
  if (!isDemo) return 'Replace the identifiers in the examples with your own.'
  const known = 'The identifiers in the examples are those of the demo.'
  if (name === 'v1') return known
  return `${known} Commands, events, webhooks, partners and their secrets have different ones in every installation: the description of each parameter says which call lists them.`
}

const hint = (name: string, isDemo: boolean): string =>
  `To try an operation, paste an access token under Authentication. [The quickstart](/) shows how to get one: your backend
requests it with its secret, which never leaves the backend. A pasted token is discarded when you leave this page.

${describeIdentifiers(name, isDemo)}

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

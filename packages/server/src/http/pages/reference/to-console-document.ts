type Json = Record<string, unknown>

const TOKEN_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'Paste a token, never a client secret.',
}
const WITH_TOKEN = [{ accessToken: [] }]

/**
 * A surface's document as the console gets it. The published one names the client credentials grant, for which consoles
 * ask the client's secret; here there is a token to paste and nothing else. Requests go to the page's own origin,
 * whichever address it was opened at. The licence goes: the console makes a link to another host of it.
 */
export function toConsoleDocument(name: string, document: object, serverPath: string): Json {
  const { info, components, paths, ...rest }: Json = { ...document }
  const { license: _, description, ...shownInfo } = asObject(info)
  return {
    ...rest,
    info: { ...shownInfo, description: [description, hint(name)].join('\n\n') },
    servers: [{ url: serverPath }],
    security: WITH_TOKEN,
    components: { ...asObject(components), securitySchemes: { accessToken: TOKEN_SCHEME } },
    paths: mapValues(asObject(paths), (item) => mapValues(asObject(item), withTokenOnly)),
  }
}

const hint = (name: string): string =>
  `To try an operation, paste an access token under Authentication. [The quickstart](/) shows how to get one: your backend
asks for it with its secret, which stays there. A pasted token is forgotten when you leave this page.

The published OpenAPI document is [/openapi/${name}.json](/openapi/${name}.json).`

/** An operation that needs no token (an empty list) stays so. */
function withTokenOnly(operation: unknown): unknown {
  const { security } = asObject(operation)
  if (!Array.isArray(security)) return operation
  return { ...asObject(operation), security: security.length === 0 ? [] : WITH_TOKEN }
}

const asObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {})

const mapValues = (object: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

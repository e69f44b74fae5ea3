interface Response {
  headers?: Record<string, unknown>
}

interface Document {
  paths?: Record<string, Record<string, { responses?: Record<string, Response> }>>
  components?: { headers?: Record<string, unknown> }
}

const count = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
})

export const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
})

const REQUEST_ID = {
  'X-Request-Id': {
    description: 'Identifies the request in the log; errors repeat it as traceId.',
    schema: { type: 'string', format: 'uuid' },
    example: 'b6f3d1a2-7c48-4e95-8a0b-2d9e5f6c3174',
  },
}

const version = (name: string) => ({
  'API-Version': text('The version of the API.', name.replace(/^v/, '')),
})

const ETAG = {
  ETag: text(
    'Changes with the response. Send it as If-None-Match to get 304 while nothing has changed.',
    '"Jx2…"',
  ),
}

const LIMIT_HEADERS = {
  'X-RateLimit-Cost': count(
    'How many requests this one counts as: 1, more for an expensive query, 0 for a 304 that was refunded. On a 429, the cost that exceeded the limit (1 if not even a single request was left).',
    1,
  ),
  'X-RateLimit-Limit': count('Requests allowed per minute for this partner and site.', 180),
  'X-RateLimit-Remaining': count('Requests remaining in the window.', 179),
  'X-RateLimit-Limit-5m': count('Requests allowed per five minutes for this partner and site.', 500),
  'X-RateLimit-Remaining-5m': count('Requests remaining in the window.', 499),
}

const RETRY_AFTER = { 'Retry-After': count('Seconds until the request can succeed.', 12) }

const CHALLENGE = {
  'WWW-Authenticate': text(
    'The scheme and, if there was a token, what is wrong with it (RFC 6750).',
    'Bearer realm="portico", error="invalid_token", error_description="The access token has expired"',
  ),
}

const toReferences = (headers: object): Record<string, { $ref: string }> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const isCounted = (status: string): boolean => status.startsWith('2') || status === '304' || status === '429'

/** Headers that responses of a status have in every operation. Those of rate limits are absent with RATE_LIMIT=off. */
const toResponseHeaders = (
  status: string,
  isConditional: boolean,
  partnerApi: object | undefined,
): object => ({
  ...REQUEST_ID,
  ...partnerApi,
  ...(isConditional && (status === '200' || status === '304') ? ETAG : {}),
  ...(partnerApi && isCounted(status) ? LIMIT_HEADERS : {}),
  ...(status === '401' ? CHALLENGE : {}),
  ...(status === '429' || status === '503' ? RETRY_AFTER : {}),
})

/** Adds the headers that all operations have in common, in one place. */
export function addResponseHeaders<T extends object>(
  document: T,
  { name, isPartnerApi }: { name: string; isPartnerApi: boolean },
): T {
  const { paths = {}, components = {} } = document as Document
  const partnerApi = isPartnerApi ? version(name) : undefined
  const used: Record<string, unknown> = {}
  for (const item of Object.values(paths))
    for (const operation of Object.values(item)) {
      const responses = operation.responses ?? {}
      operation.responses = Object.fromEntries(
        Object.entries(responses).map(([status, response]) => {
          const common = toResponseHeaders(status, '304' in responses, partnerApi)
          Object.assign(used, common)
          return [status, { ...response, headers: { ...response.headers, ...toReferences(common) } }]
        }),
      )
    }
  return { ...document, components: { ...components, headers: { ...components.headers, ...used } } }
}

interface Response {
  headers?: Record<string, unknown>
}

interface Document {
  paths?: Record<string, Record<string, { responses?: Record<string, Response> }>>
  components?: { headers?: Record<string, unknown> }
}

const count = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } })

const LIMIT_HEADERS = {
  'X-RateLimit-Cost': count(
    'How many requests of the limits this one counts as: 1, more for a query that computes much, 0 for a 304 that was refunded. On a 429, the count that did not fit (1 where there was no room for any request).',
  ),
  'X-RateLimit-Limit': count('Requests a minute for the partner and site.'),
  'X-RateLimit-Remaining': count('How many of them are left.'),
  'X-RateLimit-Limit-5m': count('Requests in five minutes for the partner and site.'),
  'X-RateLimit-Remaining-5m': count('How many of them are left.'),
}

const RETRY_AFTER = { 'Retry-After': count('Seconds until the request can succeed.') }

const toReferences = (headers: object): Record<string, { $ref: string }> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const isCounted = (status: string): boolean => status.startsWith('2') || status === '304' || status === '429'

/** Describes the headers that the rate limit adds, so that no route has to. They are absent with RATE_LIMIT=off. */
export function addLimitHeaders<T extends object>(document: T): T {
  const { paths = {}, components = {} } = document as Document
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      if (!isCounted(status)) continue
      const limited = status === '429' ? { ...LIMIT_HEADERS, ...RETRY_AFTER } : LIMIT_HEADERS
      operation.responses = {
        ...operation.responses,
        [status]: { ...response, headers: { ...response.headers, ...toReferences(limited) } },
      }
    }
  }
  const headers = { ...components.headers, ...LIMIT_HEADERS, ...RETRY_AFTER }
  return { ...document, components: { ...components, headers } }
}

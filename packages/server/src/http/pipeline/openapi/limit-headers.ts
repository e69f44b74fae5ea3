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
    'How many requests this one counts as: 1, more for an expensive query, 0 for a 304 that was refunded. On a 429, the cost that exceeded the limit (1 if not even a single request was left).',
  ),
  'X-RateLimit-Limit': count('Requests allowed per minute for this partner and site.'),
  'X-RateLimit-Remaining': count('Requests remaining in the window.'),
  'X-RateLimit-Limit-5m': count('Requests allowed per five minutes for this partner and site.'),
  'X-RateLimit-Remaining-5m': count('Requests remaining in the window.'),
}

const RETRY_AFTER = { 'Retry-After': count('Seconds until the request can succeed.') }

const toReferences = (headers: object): Record<string, { $ref: string }> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const isCounted = (status: string): boolean => status.startsWith('2') || status === '304' || status === '429'

/** Adds the rate-limit headers to all responses, in one place. They are absent with RATE_LIMIT=off. */
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

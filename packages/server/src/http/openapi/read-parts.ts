interface Operation {
  operationId?: string
  parameters?: unknown[]
  responses?: Record<string, unknown>
}

type Document = { paths?: Record<string, Record<string, unknown> | undefined> | undefined }

const SITE_HEADER = {
  name: 'SiteId',
  in: 'header',
  required: true,
  description: 'The site the request is for; GET /v2/sites lists yours.',
  schema: { type: 'string', format: 'uuid' },
}

const CONDITION_HEADER = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The ETag of an earlier answer: 304 if nothing has changed. A 304 is refunded to the rate limit, except for `*`.',
  schema: { type: 'string' },
}

const NOT_MODIFIED = { description: 'What you have is still right' }

/** What hooks do for every route of version 2, so that no route has to say it: the SiteId header, ETags and 304. */
export function addReadParts<T extends object>(document: T, withoutSite: readonly string[]): T {
  for (const item of Object.values((document as Document).paths ?? {})) {
    for (const [method, value] of Object.entries(item ?? {})) {
      const operation = value as Operation
      const parameters = [...(operation.parameters ?? [])]
      if (!withoutSite.includes(operation.operationId ?? '')) parameters.push(SITE_HEADER)
      if (method === 'get') {
        parameters.push(CONDITION_HEADER)
        operation.responses = { ...operation.responses, 304: NOT_MODIFIED }
      }
      operation.parameters = parameters
    }
  }
  return document
}

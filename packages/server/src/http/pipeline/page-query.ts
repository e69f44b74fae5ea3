import { AppError } from '../../kernel/errors.ts'
import type { Services } from '../services.ts'
import { stripQuery } from './problem.ts'
import { type HeaderList, jsonReply, type Reply } from './reply.ts'

const DEFAULT_LIMIT = 100

export interface PageQuery {
  limit?: string
  cursor?: string
}

/** Reads `limit` and `cursor` of a list whose cursors are bound to `scope`. */
export function readPageQuery(
  query: PageQuery,
  { cursors }: Pick<Services, 'cursors'>,
  scope: string,
): { limit: number; position: string | undefined } {
  const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit)
  if (query.cursor === undefined) return { limit, position: undefined }
  const position = cursors.decode(scope, query.cursor)
  if (position === undefined) {
    const message = 'is not a cursor of this list'
    throw new AppError('validation-error', `cursor ${message}.`, {
      errors: [{ field: 'cursor', code: 'invalid-cursor', message }],
    })
  }
  return { limit, position }
}

interface Page<W> {
  data: W[]
  pagination: { nextCursor: string | null; hasMore: boolean }
}

/** Converts `limit + 1` items to a page: the extra item only shows that there are more. */
export function toPage<T, W>(
  items: readonly T[],
  limit: number,
  convert: (item: T) => W,
  cursorAfter: (item: T) => string,
): Page<W> {
  const shown = items.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = items.length > limit && last !== undefined
  return {
    data: shown.map(convert),
    pagination: { nextCursor: hasMore ? cursorAfter(last) : null, hasMore },
  }
}

/**
 * The Link header of a page that is not the last: the same request with the next cursor. The other parameters stay as
 * they were sent: encoding commas again could make a long list of identifiers exceed the maximum length of a URL.
 */
export function linkToNext(
  { url }: { readonly url: string },
  { addresses }: Pick<Services, 'addresses'>,
  { nextCursor }: Page<unknown>['pagination'],
  limit: number | undefined,
): HeaderList {
  if (nextCursor === null) return []
  const path = stripQuery(url)
  const others = url
    .slice(path.length + 1)
    .split('&')
    .filter((pair) => pair !== '' && !['limit', 'cursor'].includes(decodeName(pair)))
  const parameters = [...others, ...(limit === undefined ? [] : [`limit=${limit}`]), `cursor=${nextCursor}`]
  return ['link', `<${addresses.publicUrl}${path}?${parameters.join('&')}>; rel="next"`]
}

/** The name of a `name=value` pair. */
const decodeName = (pair: string): string => [...new URLSearchParams(pair).keys()].join()

export const pageReply = (
  call: { readonly url: string },
  services: Pick<Services, 'addresses'>,
  page: Page<object>,
  limit: number,
): Reply => jsonReply(page, 200, linkToNext(call, services, page.pagination, limit))

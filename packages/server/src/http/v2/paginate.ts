import { estimateListCost } from '../../domain/telemetry/series/query-cost.ts'
import { csvPieces } from '../pipeline/csv.ts'
import { JsonRecords, jsonPieces } from '../pipeline/body/json-pieces.ts'
import { linkToNext, type PageQuery, readPageQuery, toPage } from '../pipeline/page-query.ts'
import type { WithCaller, WithSite } from '../pipeline/gates.ts'
import { prefersCsv } from '../pipeline/produces.ts'
import { CSV_TYPE, JSON_TYPE, type Reply } from '../pipeline/reply.ts'
import type { Services } from '../services.ts'
import { toBody } from '../pipeline/body/streamed-body.ts'

/** Maximum size of a list without `limit`. */
export const WHOLE_LIST = 10_000

/**
 * The cost of a list on a site with `total` such records. Filters do not lower it, because all records are examined.
 */
export function listCost({ limit }: PageQuery, total: number): number {
  return estimateListCost(limit === undefined ? Math.min(total, WHOLE_LIST) : Number(limit))
}

interface ListDefinition<T, W extends object> {
  /** Names the list inside cursors. */
  name: string
  /** In a stable order. */
  items: readonly T[]
  /** The item's position in that order. */
  getKey(item: T): readonly [string, string]
  toWire(item: T): W
  columns: readonly string[]
}

/** A request whose cursors are bound to its filters. */
export interface CursorCall extends WithCaller, WithSite {
  readonly query: PageQuery & Readonly<Record<string, string | undefined>>
}

/** A request for a list: paging parameters and text filters. */
interface ListCall extends CursorCall {
  readonly url: string
  readonly headers: { accept?: string | undefined }
}

/** Responds with a list of the site: whole, or one page with a cursor bound to partner, site and filters. */
export const listReply = <T, W extends object>(
  call: ListCall,
  services: Pick<Services, 'cursors' | 'addresses'>,
  listing: ListDefinition<T, W>,
): Reply => pagedReply(call, services, { ...toListPage(call, services, listing), ...listing })

type ListPage<T> = ReturnType<typeof toPage<T, T>> & { size: number }

/** The items of a list that the response contains. */
export function toListPage<T>(
  call: ListCall,
  services: Pick<Services, 'cursors'>,
  listing: Pick<ListDefinition<T, object>, 'name' | 'items' | 'getKey'>,
): ListPage<T> {
  const { cursor, limit } = call.query
  const scope = toCursorScope(call, listing.name)
  const pageParameters = {
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  }
  const page = readPageQuery(pageParameters, services, scope)
  const size = limit === undefined ? WHOLE_LIST : page.limit
  const rest = after(listing, page.position)
  const { data, pagination } = toPage(
    rest.slice(0, size + 1),
    size,
    (item) => item,
    (item) => services.cursors.encode(scope, JSON.stringify(listing.getKey(item))),
  )
  return { data, pagination, size }
}

/** What the cursors of a list are bound to: partner, site and filters. */
export function toCursorScope({ query, caller, site }: CursorCall, name: string): string {
  const { cursor: _cursor, limit: _limit, ...others } = query
  const filters = Object.entries(others).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return JSON.stringify([
    name,
    caller.partnerUuid,
    site.site.siteUuid,
    filters.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ])
}

/** A page of records as JSON or CSV, streamed if it is long, with a Link header if there are more. */
export function pagedReply<T, W extends object>(
  call: Pick<ListCall, 'url' | 'headers'>,
  services: Pick<Services, 'addresses'>,
  { data, pagination, size, toWire, columns }: ListPage<T> & Pick<ListDefinition<T, W>, 'toWire' | 'columns'>,
): Reply {
  const isCsv = prefersCsv(call)
  const pieces = () =>
    isCsv
      ? csvPieces(columns, data, (item) => toWire(item) as Record<string, string>)
      : jsonPieces({ data: new JsonRecords(data, toWire), pagination })
  return {
    status: 200,
    type: isCsv ? CSV_TYPE : JSON_TYPE,
    headers: linkToNext(call, services, pagination, size),
    body: toBody(pieces, data.length),
  }
}

function after<T>(
  { items, getKey }: Pick<ListDefinition<T, object>, 'items' | 'getKey'>,
  position: string | undefined,
): readonly T[] {
  if (position === undefined) return items
  const [name, uuid] = JSON.parse(position) as [string, string]
  return items.filter((item) => {
    const [itemName, itemUuid] = getKey(item)
    return itemName > name || (itemName === name && itemUuid > uuid)
  })
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { estimateListCost } from '../../telemetry/series/query-cost.ts'
import { callerOf } from '../plugins/bearer-auth.ts'
import { siteOf } from '../plugins/site-scope.ts'
import { type PageQuery, readPageQuery, toPage } from '../page-query.ts'
import type { Services } from '../services.ts'
import { csvPieces } from '../csv.ts'
import { JsonRecords, jsonPieces } from '../json-pieces.ts'
import { type StreamedBody, toBody } from '../streamed-body.ts'
import { wantsCsv } from './answer.ts'

/** The most a list without `limit` holds. */
const WHOLE_LIST = 10_000

/** The cost of a list on a site with `total` such records. Filters do not lower it, because all records are examined. */
export function listCost(request: FastifyRequest, total: number): number {
  const { limit } = request.query as PageQuery
  return estimateListCost(limit === undefined ? Math.min(total, WHOLE_LIST) : Number(limit))
}

interface Listing<T, W extends object> {
  /** Names the list inside cursors. */
  name: string
  /** In a stable order. */
  items: readonly T[]
  /** Where an item stands in that order. */
  keyOf(item: T): readonly [string, string]
  toWire(item: T): W
  columns: readonly string[]
}

/** A list of the site: whole, or a page bound to partner, site and filters. */
export function sendList<T, W extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  listing: Listing<T, W>,
): string | StreamedBody {
  const { cursor, limit, ...filters } = request.query as PageQuery & Record<string, string>
  const { siteUuid } = siteOf(request).site
  const scope = JSON.stringify([
    listing.name,
    callerOf(request).partnerUuid,
    siteUuid,
    Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ])
  const asked = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) }
  const page = readPageQuery(asked, services, scope)
  const size = limit === undefined ? WHOLE_LIST : page.limit
  const rest = after(listing, page.position)
  const { data, pagination } = toPage(
    rest.slice(0, size + 1),
    size,
    (item) => item,
    (item) => services.cursors.encode(scope, JSON.stringify(listing.keyOf(item))),
  )
  if (pagination.nextCursor !== null) {
    const query = new URLSearchParams({ ...filters, limit: String(size), cursor: pagination.nextCursor })
    const path = request.url.split('?', 1)[0] ?? ''
    reply.header('link', `<${services.addresses.publicUrl}${path}?${query.toString()}>; rel="next"`)
  }
  const { toWire, columns } = listing
  const isCsv = wantsCsv(request, reply)
  return toBody(
    () =>
      isCsv
        ? csvPieces(columns, data, (item) => toWire(item) as Record<string, string>)
        : jsonPieces({ data: new JsonRecords(data, toWire), pagination }),
    data.length,
  )
}

function after<T>(
  { items, keyOf }: Pick<Listing<T, object>, 'items' | 'keyOf'>,
  position: string | undefined,
): readonly T[] {
  if (position === undefined) return items
  const [name, uuid] = JSON.parse(position) as [string, string]
  return items.filter((item) => {
    const [itemName, itemUuid] = keyOf(item)
    return itemName > name || (itemName === name && itemUuid > uuid)
  })
}

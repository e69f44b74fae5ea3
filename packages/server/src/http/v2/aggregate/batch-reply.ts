import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Interval } from '../../../calendar/window-edges.ts'
import type { WithCaller, WithSite } from '../../pipeline/gates.ts'
import { linkToNext } from '../../pipeline/page-query.ts'
import { chooseRepresentation } from '../../pipeline/produces.ts'
import type { Reply } from '../../pipeline/reply.ts'
import type { RouteServices } from '../../pipeline/route.ts'
import { encodeBatchBody } from './batch-body.ts'
import type { BatchPage } from './batch-page.ts'
import { encodeAll, type EncodeServices } from './encode-batch.ts'

/** Common to the routes of batch reads. */
export const BATCH_ROUTE = {
  method: 'GET',
  description:
    'Many series in columns that share their timestamps, with exactly the values of single reads. Costs 1 and 1 more for every 50 series. Send Accept: text/csv or application/x-ndjson for CSV or NDJSON.',
  tags: ['Batch'],
  errors: ['forbidden', 'not-found', 'rate-limited'],
} as const

export type BatchServices = EncodeServices & Pick<RouteServices, 'addresses' | 'cursors' | 'queries'>

interface BatchCall extends WithCaller, WithSite {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly query: { limit?: string | undefined }
}

/** The fields of a response that do not depend on its page. */
interface BatchFields {
  granularity: string
  interval: Interval
  timeZone: string
  groupBy?: string
  /** The name of the identifiers, such as `spaceUuid`. */
  idName: string
}

/** One unit of the rate limit covers this many series. */
const SERIES_PER_UNIT = 50

/** The price of a request of `series` series. */
export const batchCost = (series: number): number => 1 + Math.floor(series / SERIES_PER_UNIT)

/** Computes the series of a page and responds with them. */
export function batchReply(
  call: BatchCall,
  services: BatchServices,
  page: BatchPage,
  { idName, groupBy, ...fields }: BatchFields,
): Promise<Reply | undefined> {
  const { series, windows, pagination } = page
  const { zone } = call.site
  const type = chooseRepresentation(call)
  const { from, to } = windows.whole
  const head = {
    ...fields,
    fromDateTime: zone.format(from),
    toDateTime: zone.format(to),
    ...(groupBy === undefined ? {} : { groupBy }),
  }
  const limit = call.query.limit === undefined ? undefined : Number(call.query.limit)
  return services.queries.runBatch(call, batchCost(series.length), async () => {
    const isPolled = call.headers['if-none-match'] !== undefined
    const encoded = await encodeAll(services, call.site, fields.interval, page, isPolled)
    const batch = { head, idName, zone, windows, series: encoded, pagination }
    return {
      status: 200,
      headers: linkToNext(call, services, pagination, limit),
      ...encodeBatchBody(batch, type),
    }
  })
}

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Interval } from '../../../calendar/window-edges.ts'
import type { Granularity, MetricName } from '../../../domain/metric/catalogue.ts'
import { StreamedBody } from '../../pipeline/body/streamed-body.ts'
import type { WithCaller, WithSite } from '../../pipeline/gates.ts'
import { linkToNext } from '../../pipeline/page-query.ts'
import { chooseRepresentation } from '../../pipeline/produces.ts'
import { CSV_TYPE, JSON_TYPE, NDJSON_TYPE, type Reply, type Representation } from '../../pipeline/reply.ts'
import type { RouteServices } from '../../pipeline/route.ts'
import type { BatchJob, BatchRequest } from './batch-job.ts'
import { type BatchSeries, type PagedQuery, readBatchPage } from './batch-page.ts'
import { computeBatch, listSubjects } from './compute-batch.ts'
import type { EncodeServices } from './encode-batch.ts'

/** Common to the routes of batch reads. */
export const BATCH_ROUTE = {
  method: 'GET',
  description:
    'Many series in columns that share their timestamps, with exactly the values of single reads. Costs 1, plus 1 for every 50 series. Send Accept: text/csv or application/x-ndjson for CSV or NDJSON.',
  tags: ['Batch'],
  errors: ['forbidden', 'not-found', 'rate-limited'],
} as const

export type BatchServices = EncodeServices &
  Pick<RouteServices, 'addresses' | 'computeThread' | 'cursors' | 'queries'>

interface BatchCall extends WithCaller, WithSite {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly query: PagedQuery
}

/** A batch without its page. */
interface Batch {
  request: BatchRequest
  granularity: Granularity
  interval: Interval
  groupBy?: string
  /** The name of the identifiers, such as `spaceUuid`. */
  idName: string
}

const TYPES: Record<Representation, string> = {
  'application/json': JSON_TYPE,
  'text/csv': CSV_TYPE,
  'application/x-ndjson': NDJSON_TYPE,
}

/** One unit of the rate limit covers this many series. */
const SERIES_PER_UNIT = 50

/** The price of a request of `series` series. */
export const batchCost = (series: number): number => 1 + Math.floor(series / SERIES_PER_UNIT)

/** Up to this many points, a body is sent as a whole. */
const MAX_WHOLE_POINTS = 1_000

/** A larger page is computed in a thread: it would delay other requests. */
const MAX_OWN_POINTS = 10_000
const MAX_OWN_WORK = 40_000

/** Approximate size of a point in columns. */
const BYTES_PER_POINT = 40

/** Computes the series of a page and responds with them. `name` identifies the list for its cursors. */
export function batchReply(
  call: BatchCall,
  services: BatchServices,
  name: string,
  metrics: readonly MetricName[],
  { request, granularity, interval, groupBy, idName }: Batch,
): Promise<Reply | undefined> {
  const { site: model } = call
  const { zone } = model
  const subjects = listSubjects(request, services, model, granularity, interval)
  const page = readBatchPage(call, services, name, interval).take(subjects, metrics)
  const { series, windows, work, pagination } = page
  const type = chooseRepresentation(call)
  const { from, to } = windows.whole
  const job: BatchJob = {
    siteUuid: model.site.siteUuid,
    request,
    granularity,
    interval,
    edges: windows.edges,
    series: groupById(series),
    isPolled: call.headers['if-none-match'] !== undefined,
    type,
    head: {
      granularity,
      interval,
      timeZone: model.site.timeZone,
      fromDateTime: zone.format(from),
      toDateTime: zone.format(to),
      ...(groupBy === undefined ? {} : { groupBy }),
    },
    idName,
    pagination,
  }
  const limit = call.query.limit === undefined ? undefined : Number(call.query.limit)
  const points = series.length * windows.length
  const bytes = points * BYTES_PER_POINT
  return services.queries.runBatch(call, batchCost(series.length), async () => {
    const reply = { status: 200, type: TYPES[type], headers: linkToNext(call, services, pagination, limit) }
    if (points > MAX_OWN_POINTS || work > MAX_OWN_WORK) {
      const body = await services.computeThread.computeBatch(job, call.response, bytes)
      return body && { ...reply, body }
    }
    const { digest, pieces } = await computeBatch(services, model, job, series, { isWrittenEarly: false })
    if (points > MAX_WHOLE_POINTS) return { ...reply, body: new StreamedBody(pieces, { digest, bytes }) }
    const write = (): string => [...pieces()].join('')
    return { ...reply, body: { digest, write, writeBytes: write } }
  })
}

/** Consecutive series of one space, group or device together. */
function groupById(series: readonly BatchSeries[]): BatchJob['series'] {
  const grouped: { id: string; metrics: MetricName[] }[] = []
  for (const { id, metric } of series) {
    const last = grouped.at(-1)
    if (last?.id === id) last.metrics.push(metric)
    else grouped.push({ id, metrics: [metric] })
  }
  return grouped
}

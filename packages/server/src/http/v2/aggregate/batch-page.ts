import type { TimeSpan, Windows } from '../../../calendar/interval.ts'
import { type Interval, toWindows } from '../../../calendar/window-edges.ts'
import type { MetricName } from '../../../domain/metric/catalogue.ts'
import { MAX_PAGE_WORK } from '../../../domain/telemetry/series/query-cost.ts'
import type { Range } from '../../../domain/telemetry/series/range.ts'
import type { ContributorLookup } from '../../../domain/telemetry/series/find-contributors.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Cursors } from '../../../kernel/cursor.ts'
import { packUuid, unpackUuid } from '../../../kernel/ids.ts'
import { readPageQuery } from '../../pipeline/page-query.ts'
import { type CursorCall, toCursorScope } from '../paginate.ts'
import type { EncodeRange, SeriesEncoder } from '../series-encoding/encode-series.ts'
import { readCachedRange } from '../spaces/cached-range.ts'

/** A page ends at the first of these, or at MAX_PAGE_WORK. */
const MAX_SERIES = 1_000
const MAX_POINTS = 100_000

/** One series of a batch. */
export interface BatchSeries {
  /** The identifier of its space, group or device. */
  id: string
  metric: MetricName
  find: ContributorLookup
  /** Estimated work, by query-cost.ts. */
  work: number
  /** Created when it is needed, with a separate encoder if the reads of the batch were prefetched. */
  createEncode(encoder: SeriesEncoder | undefined): EncodeRange
}

/** The spaces, groups or devices of a batch. */
export interface BatchSubjects {
  ids: readonly string[]
  /** The series of one of them, in the order of the metrics; empty if it measures none of them. */
  list(id: string, metrics: readonly MetricName[], range: Range): readonly BatchSeries[]
}

export interface BatchPage {
  series: readonly BatchSeries[]
  windows: Windows
  /** Estimated work of all series, by query-cost.ts. */
  work: number
  pagination: { nextCursor: string | null; hasMore: boolean }
}

/** The parameters of a page. */
export type PagedQuery = CursorCall['query'] & {
  fromDateTime?: string | undefined
  toDateTime?: string | undefined
}

interface BatchCall extends CursorCall {
  readonly query: PagedQuery
  readonly headers: { 'if-none-match'?: string | undefined }
}

/** Where a page begins. */
interface Position {
  /** Absent if the request has both ends; otherwise all pages have the same windows, whatever the time. */
  range: TimeSpan | undefined
  id: string
  /** Index in the list of metrics. */
  metric: number
}

const RADIX = 36

/** Short: 200 identifiers leave little of a URL for the cursor. */
const formatPosition = ({ range, id, metric }: Position): string =>
  [packUuid(id), metric, ...(range ? [range.from.toString(RADIX), range.to.toString(RADIX)] : [])].join(' ')

function parsePosition(text: string): Position {
  const [id = '', metric = '', from, to = ''] = text.split(' ')
  return {
    id: unpackUuid(id),
    metric: Number(metric),
    range:
      from === undefined ? undefined : { from: Number.parseInt(from, RADIX), to: Number.parseInt(to, RADIX) },
  }
}

/** Reads the range and the start of a page. */
export function readBatchPage(
  call: BatchCall,
  { clock, cursors }: { clock: Clock; cursors: Cursors },
  name: string,
  interval: Interval,
): { take(subjects: BatchSubjects, metrics: readonly MetricName[]): BatchPage } {
  const { site, query, headers } = call
  const scope = toCursorScope(call, name)
  const { limit, cursor } = query
  const page = readPageQuery(
    { limit: limit ?? String(MAX_SERIES), ...(cursor === undefined ? {} : { cursor }) },
    { cursors },
    scope,
  )
  const start = page.position === undefined ? undefined : parsePosition(page.position)
  const isFixed = query.fromDateTime !== undefined && query.toDateTime !== undefined
  const windows =
    start?.range && !isFixed
      ? toWindows(site.zone, interval, start.range.from, start.range.to)
      : readCachedRange(query, interval, site.zone, clock.now(), headers['if-none-match'] !== undefined)
          .windows
  const size = Math.min(page.limit, Math.max(1, Math.floor(MAX_POINTS / windows.length)))

  const range: Range = { windows, ...windows.whole, until: Math.min(windows.whole.to, clock.now()) }

  return {
    take({ ids, list }, metrics) {
      const series: BatchSeries[] = []
      let next: Position | undefined
      let work = 0
      for (const id of ids.toSorted()) {
        if (start && id < start.id) continue
        for (const one of list(id, metrics, range)) {
          const metric = metrics.indexOf(one.metric)
          if (start && id === start.id && metric < start.metric) continue
          const isWithin = work + one.work <= MAX_PAGE_WORK || series.length === 0
          if (series.length < size && isWithin) {
            series.push(one)
            work += one.work
          } else {
            next = { range: isFixed ? undefined : windows.whole, id, metric }
            break
          }
        }
        if (next) break
      }
      const nextCursor = next ? cursors.encode(scope, formatPosition(next)) : null
      return { series, windows, work, pagination: { nextCursor, hasMore: next !== undefined } }
    },
  }
}

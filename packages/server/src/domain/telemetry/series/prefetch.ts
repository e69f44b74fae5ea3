import type { LocalDays } from '../../../calendar/local-day.ts'
import { getLocalDays, toMonth } from '../../../calendar/local-day.ts'
import { overlaps, type TimeSpan } from '../../../calendar/interval.ts'
import type { Interval } from '../../../calendar/window-edges.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import type { Readings } from '../reading/packed-day.ts'
import { sliceAround, sliceWithin } from '../reading/readings.ts'
import type { ReadingReader } from '../reading/store.ts'
import { withCellKind } from '../rollup/series-index.ts'
import type { RollupRow, RollupStore } from '../rollup/store.ts'
import type { Contributor } from './contribution.ts'
import type { SeriesReads } from './service.ts'

/** A contributor of one of the series that are read together. */
export interface PrefetchedContributor {
  metric: MeasuredMetric
  contributor: Contributor
  /** Whether its half hours are read as well, as for the emissions of electricity. */
  needsSlots: boolean
}

type Table = 'days' | 'months' | 'quarters'

interface RowRange {
  first: number
  last: number
}

/** Bounds the memory: about 100 bytes for each row of a day, and 16 for each reading. */
const MAX_ROWS = 60_000
const MAX_OPEN_DAYS = 6_000

/** Devices of a space are read on their own for days that its rollup does not have: hardly ever older ones. */
const MEMBER_DAYS = 2

/**
 * Reads the rollups of many series, and the readings of the days that are not rolled up, with a few statements whatever
 * their number. What was not prefetched is read from the store as usual, so the values are the same.
 */
export async function prefetchReads(
  reads: SeriesReads,
  model: SiteModel,
  list: readonly PrefetchedContributor[],
  interval: Interval,
  span: TimeSpan,
  now: number,
): Promise<SeriesReads> {
  const { siteUuid } = model.site
  const days = getLocalDays(model.zone)
  const end = Math.min(span.to, now)
  if (end <= span.from) return reads
  const range = { first: days.dayAt(span.from), last: days.dayAt(end - 1) }
  const wanted = listRanges(days, list, interval, span, range, days.dayAt(now))
  const rows = await loadRows(reads.rollups, siteUuid, wanted)
  const rollups = overRows(reads.rollups, wanted, rows)
  const { aroundEach } = reads.readings
  if (!aroundEach) return { rollups, readings: reads.readings }
  const open = listOpenSpans(days, list, interval, span, end, range, rows)
  const queries = [...open].map(([seriesId, own]) => ({ seriesId, span: own }))
  const readings = await aroundEach(siteUuid, queries)
  const found = new Map(
    queries.map((query, index) => [query.seriesId, { ...query, readings: readings[index] }]),
  )
  return { rollups, readings: overReadings(reads.readings, found) }
}

type Ranges = Record<Table, Map<number, RowRange>>
type Rows = Record<Table, Map<number, readonly RollupRow[]>>

function listRanges(
  days: LocalDays,
  list: readonly PrefetchedContributor[],
  interval: Interval,
  span: TimeSpan,
  range: RowRange,
  today: number,
): Ranges {
  const ranges: Ranges = { days: new Map(), months: new Map(), quarters: new Map() }
  let rows = 0
  const add = (table: Table, seriesId: number, first: number, last: number): void => {
    if (first > last || rows > MAX_ROWS) return
    const known = ranges[table].get(seriesId)
    rows += last - first + 1
    ranges[table].set(
      seriesId,
      known ? { first: Math.min(first, known.first), last: Math.max(last, known.last) } : { first, last },
    )
  }
  const addDays = (seriesId: number, first: number, last: number, needsSlots: boolean): void => {
    const isCalendar = !interval.startsWith('PT')
    if (isCalendar) add('months', seriesId, toMonth(first).month, toMonth(last).month)
    if (interval === 'PT15M') add('quarters', seriesId, first, last)
    else if (!isCalendar || needsSlots) add('days', seriesId, first, last)
  }
  for (const { contributor, needsSlots } of list) {
    const { seriesId, sources, stay } = contributor
    if (!overlaps(stay, span)) continue
    if (seriesId !== undefined) addDays(seriesId, range.first, range.last, needsSlots)
    for (const source of sources)
      if (source !== seriesId) {
        const first = interval === 'PT15M' ? range.first : Math.max(range.first, today - MEMBER_DAYS)
        if (first <= range.last) addDays(source, first, range.last, needsSlots)
      }
    // The day of a move is read in slots and parts.
    for (const edge of [stay.from, stay.to])
      if (edge !== null && edge > span.from && edge < span.to)
        for (const id of new Set(seriesId === undefined ? sources : [seriesId, ...sources])) {
          add('days', id, days.dayAt(edge), days.dayAt(edge))
          add('quarters', id, days.dayAt(edge), days.dayAt(edge))
        }
  }
  return ranges
}

/** The requests of one tick are one statement for each table. */
async function loadRows(rollups: RollupStore, siteUuid: string, ranges: Ranges): Promise<Rows> {
  const load = async (table: Table): Promise<Map<number, readonly RollupRow[]>> =>
    new Map(
      await Promise.all(
        [...ranges[table]].map(
          async ([seriesId, { first, last }]): Promise<[number, readonly RollupRow[]]> => [
            seriesId,
            await rollups[table](siteUuid, seriesId, first, last),
          ],
        ),
      ),
    )
  const [days, months, quarters] = await Promise.all([load('days'), load('months'), load('quarters')])
  return { days, months, quarters }
}

function overRows(rollups: RollupStore, ranges: Ranges, rows: Rows): RollupStore {
  const read =
    (table: Table): RollupStore['days'] =>
    (siteUuid, seriesId, from, to) => {
      const range = ranges[table].get(seriesId)
      if (!range || from < range.first || to > range.last) return rollups[table](siteUuid, seriesId, from, to)
      return (rows[table].get(seriesId) ?? []).filter(({ number }) => number >= from && number <= to)
    }
  return { days: read('days'), months: read('months'), quarters: read('quarters') }
}

/** For each series of readings, the span of the days that its contributors have no rollup of. */
function listOpenSpans(
  days: LocalDays,
  list: readonly PrefetchedContributor[],
  interval: Interval,
  span: TimeSpan,
  end: number,
  range: RowRange,
  rows: Rows,
): Map<number, TimeSpan> {
  const open = new Map<number, TimeSpan>()
  let total = 0
  for (const { metric, contributor } of list) {
    const { seriesId, sources, members, stay, reachMs } = contributor
    if (!overlaps(stay, span)) continue
    const isClosed = createClosedDays(metric, seriesId, members, interval, rows)
    let [first, last] = [range.first, range.last]
    while (first <= last && isClosed(first)) first += 1
    while (last >= first && isClosed(last)) last -= 1
    if (first > last) continue
    total += (last - first + 1) * sources.length
    if (total > MAX_OPEN_DAYS) return open
    const from = Math.max(span.from, days.startOfDay(first)) - reachMs
    const to = Math.min(Math.max(end, span.to), days.startOfDay(last + 1)) + reachMs
    for (const source of sources) {
      const known = open.get(source)
      open.set(
        source,
        known ? { from: Math.min(from, known.from), to: Math.max(to, known.to) } : { from, to },
      )
    }
  }
  return open
}

function createClosedDays(
  metric: MeasuredMetric,
  seriesId: number | undefined,
  members: number,
  interval: Interval,
  rows: Rows,
): (day: number) => boolean {
  if (seriesId === undefined) return () => false
  if (interval.startsWith('PT')) {
    const table = interval === 'PT15M' ? rows.quarters : rows.days
    const closed = new Set((table.get(seriesId) ?? []).map(({ number }) => number))
    return (day) => closed.has(day)
  }
  const unpack = (cells: Uint8Array): readonly unknown[] =>
    withCellKind(metric, {
      meter: (kind): readonly unknown[] => kind.unpack(cells, members) ?? [],
      gauge: (kind): readonly unknown[] => kind.unpack(cells, members) ?? [],
    })
  const months = new Map((rows.months.get(seriesId) ?? []).map(({ number, cells }) => [number, cells]))
  const unpacked = new Map<number, readonly unknown[]>()
  return (day) => {
    const { month, index } = toMonth(day)
    const cells = months.get(month)
    if (!cells) return false
    let own = unpacked.get(month)
    if (!own) unpacked.set(month, (own = unpack(cells)))
    return own[index] !== undefined
  }
}

type FoundReadings = ReadonlyMap<number, { span: TimeSpan; readings: Readings | undefined }>

function overReadings(readings: ReadingReader, found: FoundReadings): ReadingReader {
  const find = (seriesId: number, { from, to }: TimeSpan): Readings | undefined => {
    const own = found.get(seriesId)
    return own && own.span.from <= from && own.span.to >= to ? own.readings : undefined
  }
  return {
    async around(siteUuid, seriesId, span) {
      const own = find(seriesId, span)
      return own ? sliceAround(own, span) : readings.around(siteUuid, seriesId, span)
    },
    async within(siteUuid, seriesId, span) {
      const own = find(seriesId, span)
      return own ? sliceWithin(own, span) : readings.within(siteUuid, seriesId, span)
    },
  }
}

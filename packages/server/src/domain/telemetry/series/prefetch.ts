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

/**
 * Devices of a space are read individually for days that the space has no rollup for; these are almost always recent.
 */
const MEMBER_DAYS = 2

/**
 * Reads the rollups of many series, and the readings of the days that are not rolled up, with a few statements, however
 * many series there are. Data that was not prefetched is read from the store as usual, so the values are the same.
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
  const range = { first: days.dayAt(span.from), last: days.dayAt(span.to - 1) }
  const recent = Math.max(range.first, days.dayAt(now) - MEMBER_DAYS)
  const wanted = listRanges(days, list, interval, span, range, recent)
  const rows = await loadRows(reads.rollups, siteUuid, wanted)
  const open = listOpenDays(list, interval, span, range, rows)
  await addMembers(reads.rollups, siteUuid, interval, open, recent, wanted, rows)
  const rollups = overRows(reads.rollups, wanted, rows)
  const { aroundEach } = reads.readings
  if (!aroundEach) return { rollups, readings: reads.readings }
  const queries = [...listOpenSpans(days, open, span)].map(([seriesId, own]) => ({
    seriesId,
    span: own,
  }))
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
  recent: number,
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
    for (const [table, from, to] of toRows(interval, first, last, needsSlots)) add(table, seriesId, from, to)
  }
  for (const { contributor, needsSlots } of list) {
    const { seriesId, sources, placement } = contributor
    if (!overlaps(placement, span)) continue
    if (seriesId !== undefined) addDays(seriesId, range.first, range.last, needsSlots)
    for (const source of sources)
      if (source !== seriesId) {
        const first = interval === 'PT15M' ? range.first : recent
        if (first <= range.last) addDays(source, first, range.last, needsSlots)
      }
    // The day of a move is read in slots and parts.
    for (const edge of [placement.from, placement.to])
      if (edge !== null && edge > span.from && edge < span.to)
        for (const id of new Set(seriesId === undefined ? sources : [seriesId, ...sources])) {
          add('days', id, days.dayAt(edge), days.dayAt(edge))
          add('quarters', id, days.dayAt(edge), days.dayAt(edge))
        }
  }
  return ranges
}

/** The rows of some days that windows of an interval are computed from. */
function toRows(
  interval: Interval,
  first: number,
  last: number,
  needsSlots: boolean,
): [table: Table, first: number, last: number][] {
  const months: [Table, number, number] = ['months', toMonth(first).month, toMonth(last).month]
  const own: [Table, number, number] = [interval === 'PT15M' ? 'quarters' : 'days', first, last]
  if (needsSlots) return [months, ['days', first, last], ...(own[0] === 'days' ? [] : [own])]
  return [interval.startsWith('PT') ? own : months]
}

/** Loads the rows of devices whose space has no rollup of days that are not recent: only after late readings. */
async function addMembers(
  rollups: RollupStore,
  siteUuid: string,
  interval: Interval,
  open: readonly OpenContributor[],
  recent: number,
  wanted: Ranges,
  rows: Rows,
): Promise<void> {
  const more: Ranges = { days: new Map(), months: new Map(), quarters: new Map() }
  for (const { contributor, needsSlots, first, last } of open) {
    if (first >= recent || interval === 'PT15M') continue
    for (const source of contributor.sources)
      if (source !== contributor.seriesId)
        for (const [table, from, to] of toRows(interval, first, last, needsSlots)) {
          const known = wanted[table].get(source)
          more[table].set(source, {
            first: Math.min(from, known?.first ?? from),
            last: Math.max(to, known?.last ?? to),
          })
        }
  }
  const loaded = await loadRows(rollups, siteUuid, more)
  for (const table of ['days', 'months', 'quarters'] as const)
    for (const [source, range] of more[table]) {
      wanted[table].set(source, range)
      rows[table].set(source, loaded[table].get(source) ?? [])
    }
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

/** A contributor and the days of a range, from the first to the last, that it has no rollup of. */
interface OpenContributor extends PrefetchedContributor, RowRange {}

function listOpenDays(
  list: readonly PrefetchedContributor[],
  interval: Interval,
  span: TimeSpan,
  range: RowRange,
  rows: Rows,
): OpenContributor[] {
  const open: OpenContributor[] = []
  let total = 0
  for (const one of list) {
    const { metric, contributor } = one
    if (!overlaps(contributor.placement, span)) continue
    const isClosed = createClosedDays(metric, contributor, interval, rows)
    let { first, last } = range
    while (first <= last && isClosed(first)) first += 1
    while (last >= first && isClosed(last)) last -= 1
    total += Math.max(0, last - first + 1) * contributor.sources.length
    if (total > MAX_OPEN_DAYS) break
    if (first <= last) open.push({ ...one, first, last })
  }
  return open
}

/** For each series of readings, the span of the readings that are needed for days without a rollup. */
function listOpenSpans(
  days: LocalDays,
  open: readonly OpenContributor[],
  span: TimeSpan,
): Map<number, TimeSpan> {
  const spans = new Map<number, TimeSpan>()
  for (const { contributor, first, last } of open) {
    const { sources, reachMs } = contributor
    const from = Math.max(span.from, days.startOfDay(first)) - reachMs
    const to = Math.min(span.to, days.startOfDay(last + 1)) + reachMs
    for (const source of sources) {
      const known = spans.get(source)
      spans.set(
        source,
        known ? { from: Math.min(from, known.from), to: Math.max(to, known.to) } : { from, to },
      )
    }
  }
  return spans
}

function createClosedDays(
  metric: MeasuredMetric,
  { seriesId, members }: Contributor,
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

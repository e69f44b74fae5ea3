import {
  type BlockLayout,
  type BlockSlice,
  type RollupBlock,
  splitByBlock,
} from '../../../domain/telemetry/rollup/rollup-block.ts'
import { type CellSource, withoutRollups } from '../../../domain/telemetry/rollup/cells.ts'
import type { ColumnReader, RowColumns } from '../../../domain/telemetry/series/column-reader.ts'
import type { Contributor } from '../../../domain/telemetry/series/contribution.ts'
import type { RollupRow } from '../../../domain/telemetry/rollup/store.ts'
import { covers, type TimeSpan, Windows } from '../../../calendar/interval.ts'
import { at } from '../../../kernel/at.ts'
import { andThen, type MaybePromise } from '../../../kernel/maybe-promise.ts'
import type { SeriesBlocks } from './block-cache.ts'
import type { ClosedBlocks } from './cached-blocks.ts'
import { type EncodedBlock, encodeColumns, hasWindow, isComplete } from './encoded-block.ts'
import { type EncodedSeries, joinSegments } from './encoded-series.ts'
import type { PointEncoder } from './point-encoder.ts'
import { CachedSegment, ColumnSegment, type Segment } from './segments.ts'

/** A series with one contributor over the whole range. */
export interface SingleSourceSeries<C> {
  source: CellSource
  reader: ColumnReader<C>
  blocks: BlockLayout
  contributor: Contributor
  seriesId: number
  encoder: PointEncoder
}

export interface CachedBlocks {
  /** Blocks of rollup rows. */
  closed: ClosedBlocks
  /**
   * Blocks of windows that are over but not rolled up yet; undefined if the store cannot tell whether they are valid.
   */
  open: SeriesBlocks | undefined
}

/** Encodes windows from cached blocks, rollups and readings. Synchronous if the store is and no readings are needed. */
export function encodeSingleSource<C>(
  series: SingleSourceSeries<C>,
  windows: Windows,
  now: number,
  cached: CachedBlocks,
  isPolled: boolean,
): MaybePromise<EncodedSeries> {
  const whole = cached.closed.getWhole(windows, cached.open)
  if (whole) return whole
  const { source, blocks, seriesId } = series
  const selection = select(series, windows, now, cached)
  const [from, to] = [selection.missing[0], selection.missing.at(-1)]
  if (from === undefined || to === undefined) return finish(series, selection, cached, isPolled)
  return andThen(source.rollups[blocks.table](source.siteUuid, seriesId, from, to), (rows) => {
    addRows(series, selection, cached, rows)
    return finish(series, selection, cached, isPolled)
  })
}

/** Caches the whole response if it is polled, because the client will poll again. */
function finish<C>(
  series: SingleSourceSeries<C>,
  selection: Selection,
  cached: CachedBlocks,
  isPolled: boolean,
): MaybePromise<EncodedSeries> {
  const segments = collectSegments(selection)
  if (!segments.every(isEncodable)) return finishOpen(series, selection, cached)
  const encoded = joinSegments(segments, series.reader.summary)
  const isClosed = selection.closed.every((block) => block && isComplete(block))
  if (isPolled && selection.isCacheable)
    cached.closed.putWhole(selection.windows, isClosed ? undefined : cached.open, encoded)
  return encoded
}

async function finishOpen<C>(
  series: SingleSourceSeries<C>,
  selection: Selection,
  { open }: CachedBlocks,
): Promise<EncodedSeries> {
  if (open) await addOpenBlocks(series, selection, open)
  const segments = await withOpenWindows(series, selection.now, collectSegments(selection))
  return joinSegments(segments, series.reader.summary)
}

/** The windows of a response and the data of their blocks; arrays have one entry per slice. */
interface Selection {
  windows: Windows
  now: number
  runs: readonly BlockSlice[]
  closed: (EncodedBlock | undefined)[]
  /** Slices whose row is not cached. */
  uncached: (Segment | undefined)[]
  open: (EncodedBlock | undefined)[]
  /** Numbers of the rows to read. */
  missing: number[]
  /** Whether all blocks of the selection are cached. */
  isCacheable: boolean
}

function select<C>(
  { blocks }: SingleSourceSeries<C>,
  windows: Windows,
  now: number,
  { closed, open }: CachedBlocks,
): Selection {
  const runs = splitByBlock(blocks, windows)
  const selection: Selection = {
    windows,
    now,
    runs,
    closed: [],
    uncached: [],
    open: [],
    missing: [],
    isCacheable: true,
  }
  for (const { number } of runs) {
    const block = closed.get(number)
    selection.closed.push(block)
    if (!block && selection.missing.at(-1) !== number) selection.missing.push(number)
    selection.open.push(block && isComplete(block) ? undefined : open?.get(number))
  }
  return selection
}

/** Assigns a block to each of its slices. */
function putBlock(
  { runs }: Selection,
  into: (EncodedBlock | undefined)[],
  number: number,
  block: EncodedBlock,
): void {
  for (const [index, run] of runs.entries()) if (run.number === number) into[index] = block
}

function putColumns(
  { runs, uncached }: Selection,
  number: number,
  columns: RowColumns,
  { windows }: RollupBlock,
  encoder: PointEncoder,
): void {
  for (const [index, { number: own, from, count }] of runs.entries())
    if (own === number && from !== undefined)
      uncached[index] = new ColumnSegment(encoder, columns, windows, true, from, from + count)
}

const DAY_MS = 86_400_000

/** Hours of a week and days of about two months are cached. Older blocks are read rarely and would evict the others. */
const CACHE_RECENT_MS: Record<BlockLayout['table'], number> = { days: 7 * DAY_MS, months: 31 * DAY_MS }

/** Whether a block with windows up to an instant is cached. */
export const isRecent = (table: BlockLayout['table'], to: number, now: number): boolean =>
  to > now - CACHE_RECENT_MS[table]

/** Encodes rows and caches the recent ones. */
function addRows<C>(
  { reader, blocks, contributor, encoder }: SingleSourceSeries<C>,
  selection: Selection,
  { closed }: CachedBlocks,
  rows: readonly RollupRow[],
): void {
  for (const number of selection.missing) {
    const block = blocks.block(number)
    if (!block) continue
    const bytes = rows.find((row) => row.number === number)?.cells
    const cached = bytes && closed.match(number, bytes)
    if (cached) {
      putBlock(selection, selection.closed, number, cached)
      continue
    }
    const isCached = isRecent(blocks.table, block.windows.whole.to, selection.now)
    selection.isCacheable &&= isCached
    const columns = bytes && reader.row(bytes, block, contributor.members)
    if (columns && !columns.absent && !isCached) {
      putColumns(selection, number, columns, block, encoder)
      continue
    }
    const encoded = encodeColumns(encoder, block.windows, columns)
    if (isCached) closed.put(number, bytes, encoded)
    putBlock(selection, selection.closed, number, encoded)
  }
}

/** Encodes the windows that are over but in no row yet, for every block from which the response needs such windows. */
async function addOpenBlocks<C>(
  { source, reader, blocks, contributor, encoder }: SingleSourceSeries<C>,
  selection: Selection,
  open: SeriesBlocks,
): Promise<void> {
  const { now } = selection
  const numbers = new Set<number>()
  for (const segment of collectSegments(selection)) {
    if (isEncodable(segment)) continue
    for (const { from, to } of segment.spans) if (to <= now) numbers.add(blocks.numberAt(from))
  }
  for (const number of numbers) {
    const windows = blocks.block(number)?.windows
    if (!windows) continue
    const spans = [...windows].filter((span) => span.to <= now && covers(contributor.placement, span))
    const [first] = spans
    if (!first) continue
    const columns = await reader.any(source, contributor, spans, now)
    const encoded = encodeColumns(encoder, windows, columns, windows.indexOf(first.from))
    open.put(number, encoded)
    putBlock(selection, selection.open, number, encoded)
  }
}

/** Consecutive windows that are in no block. */
interface OpenWindows {
  spans: TimeSpan[]
}

const isEncodable = (segment: Segment | OpenWindows): segment is Segment => !('spans' in segment)

/** The windows of the response in order. */
function collectSegments({
  windows,
  now,
  runs,
  closed,
  uncached,
  open,
}: Selection): (Segment | OpenWindows)[] {
  const segments: (Segment | OpenWindows)[] = []
  for (const [index, run] of runs.entries()) {
    const whole = uncached[index]
    if (whole) {
      segments.push(whole)
      continue
    }
    for (let done = 0; done < run.count; ) {
      const segment = takeWindows(closed[index], run, done, now) ?? takeWindows(open[index], run, done, now)
      if (segment) {
        segments.push(segment)
        done += segment.count
        continue
      }
      const span = windows.span(run.first + done)
      const last = segments.at(-1)
      if (last && !isEncodable(last)) last.spans.push(span)
      else segments.push({ spans: [span] })
      done += 1
    }
  }
  return segments
}

/** The windows of a slice from `done` on that are in a block and over. */
function takeWindows(
  block: EncodedBlock | undefined,
  run: BlockSlice,
  done: number,
  now: number,
): Segment | undefined {
  if (!block || run.from === undefined) return undefined
  const { windows, completePrefix } = block
  const isOver = (index: number): boolean => windows.to(index) <= now
  const from = run.from + done
  const end = run.from + run.count
  let to = Math.max(from, Math.min(end, completePrefix))
  while (to > from && !isOver(to - 1)) to -= 1
  while (to < end && hasWindow(block, to) && isOver(to)) to += 1
  return to > from ? new CachedSegment(block, from, to) : undefined
}

/** Computes the windows that are not over yet, for this response only. */
async function withOpenWindows<C>(
  { source, reader, contributor, encoder }: SingleSourceSeries<C>,
  now: number,
  segments: readonly (Segment | OpenWindows)[],
): Promise<Segment[]> {
  const encodable: Segment[] = []
  for (const segment of segments) {
    if (isEncodable(segment)) {
      encodable.push(segment)
      continue
    }
    const { spans } = segment
    const isUnrolled = at(spans, 0).to > now
    const columns = await reader.any(isUnrolled ? withoutRollups(source) : source, contributor, spans, now)
    const edges = [...spans.map(({ from }) => from), at(spans, spans.length - 1).to]
    encodable.push(new ColumnSegment(encoder, columns, new Windows(edges), false, 0, spans.length))
  }
  return encodable
}

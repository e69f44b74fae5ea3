import { covers } from '../calendar/interval.ts'
import { Digest } from '../lib/digest.ts'
import { andThen, type MaybePromise } from '../lib/maybe-promise.ts'
import { isSameBytes } from '../reading/bytes.ts'
import type { Span } from '../reading/window-value.ts'
import type { Block, BlockKind } from './block.ts'
import { type Run, runsOf } from './block-runs.ts'
import type { CellSource } from './cells.ts'
import type { Contributor } from './contribution.ts'
import {
  type Fragment,
  fragmentOf,
  isWhole,
  isWritten,
  type WindowWriter,
  writeCells,
  writeFull,
} from './fragment.ts'
import type { KeptSeries, SeriesFragments } from './fragments.ts'
import { FullPiece, type Piece, WrittenPiece } from './pieces.ts'
import type { SeriesText } from './series-texts.ts'
import type { StoredRow } from './store.ts'
import { Tally } from './tally.ts'
import { spansOf } from './utility.ts'
import type { FullWindows, WindowKind } from './window-kind.ts'

/** A series with a single contributor. */
export interface SteadySeries<C> {
  source: CellSource
  kind: WindowKind<C>
  blocks: BlockKind
  contributor: Contributor
  seriesId: number
  writer: WindowWriter
}

/** What is kept of a series. */
export interface KeptText {
  /** Of rows that are rolled up, while those stay. */
  closed: KeptSeries
  /** Nobody says whether they stay: each is compared with the row it was made of. */
  isByRow: boolean
  /** Of windows that are over and not rolled up yet, while no reading comes; undefined where nobody would know. */
  open: SeriesFragments | undefined
}

/**
 * Windows that the contributor was there for: those that are closed out of fragments, the others from rollups and readings. Without
 * waiting where the store answers without waiting and no readings are needed.
 */
export function steadyText<C>(
  series: SteadySeries<C>,
  edges: readonly number[],
  now: number,
  kept: KeptText,
  isPolled: boolean,
): MaybePromise<SeriesText> {
  const known = kept.closed.textOf(edges, kept.open)
  if (known) return known
  const { source, blocks, seriesId } = series
  const asked = ask(series, edges, now, kept)
  const [from, to] = [asked.missing[0], asked.missing.at(-1)]
  if (from === undefined || to === undefined) return finish(series, asked, kept, isPolled)
  return andThen(source.rollups[blocks.table](source.siteUuid, seriesId, from, to), (rows) => {
    addRows(series, asked, kept, rows)
    return finish(series, asked, kept, isPolled)
  })
}

/** A response that is polled is cached whole: whoever asks whether it has changed will ask again. */
function finish<C>(
  series: SteadySeries<C>,
  asked: Asked,
  kept: KeptText,
  isPolled: boolean,
): MaybePromise<SeriesText> {
  const pieces = piecesOf(asked)
  if (!pieces.every(isDone)) return finishOpen(series, asked, kept)
  const text = toText(series, pieces)
  const isClosed = asked.closed.every((fragment) => fragment && isWhole(fragment))
  if (isPolled && asked.isKept && !kept.isByRow)
    kept.closed.putText(asked.edges, isClosed ? undefined : kept.open, text)
  return text
}

async function finishOpen<C>(series: SteadySeries<C>, asked: Asked, kept: KeptText): Promise<SeriesText> {
  if (kept.open) await addOpen(series, asked, kept.open)
  return toText(series, await withOpen(series, asked, piecesOf(asked)))
}

/** The windows asked for, and what there is of their blocks, each in the place of its run. */
interface Asked {
  edges: readonly number[]
  now: number
  runs: readonly Run[]
  /** A row as a fragment, or the run itself where the row is not kept. */
  closed: (Fragment | undefined)[]
  loose: (Piece | undefined)[]
  open: (Fragment | undefined)[]
  /** Rows that are not among those kept. */
  missing: number[]
  /** All that is here is kept, too. */
  isKept: boolean
}

function ask<C>(
  { blocks }: SteadySeries<C>,
  edges: readonly number[],
  now: number,
  { closed, isByRow, open }: KeptText,
): Asked {
  const runs = runsOf(blocks, edges)
  const asked: Asked = { edges, now, runs, closed: [], loose: [], open: [], missing: [], isKept: true }
  for (const { number } of asked.runs) {
    const known = isByRow ? undefined : closed.get(number)
    asked.closed.push(known)
    if (!known && asked.missing.at(-1) !== number) asked.missing.push(number)
    asked.open.push(known && isWhole(known) ? undefined : open?.get(number))
  }
  return asked
}

/** Puts a fragment wherever its block is asked for. */
function putFragment(
  { runs }: Asked,
  into: (Fragment | undefined)[],
  number: number,
  fragment: Fragment,
): void {
  for (const [index, run] of runs.entries()) if (run.number === number) into[index] = fragment
}

/** Puts the windows of a row wherever they are asked for. */
function putFull(
  { runs, loose }: Asked,
  number: number,
  windows: FullWindows,
  block: Block,
  writer: WindowWriter,
): void {
  for (const [index, { number: own, from, count }] of runs.entries())
    if (own === number && from !== undefined)
      loose[index] = new FullPiece(windows, block, writer, from, from + count)
}

const DAY_MS = 86_400_000

/**
 * Older hours and days are asked for once in a while, by anybody: keeping those too would drive out the others. Hours of a week, days of
 * this month and the last.
 */
const KEPT_MS: Record<BlockKind['table'], number> = { days: 7 * DAY_MS, months: 31 * DAY_MS }

/** Makes fragments of rows, and keeps them. */
function addRows<C>(
  { kind, blocks, contributor, writer }: SteadySeries<C>,
  asked: Asked,
  { closed, isByRow }: KeptText,
  rows: readonly StoredRow[],
): void {
  const { now } = asked
  for (const number of asked.missing) {
    const block = blocks.block(number)
    if (!block) continue
    const bytes = rows.find((row) => row.number === number)?.cells
    const known = isByRow && bytes ? closed.get(number) : undefined
    if (known?.row && bytes && isSameBytes(known.row, bytes)) {
      putFragment(asked, asked.closed, number, known)
      continue
    }
    const isKept = (block.edges.at(-1) ?? 0) > now - KEPT_MS[blocks.table]
    asked.isKept &&= isKept
    const full = bytes && kind.full(bytes, block, contributor.members)
    if (full && !isKept) {
      putFull(asked, number, full, block, writer)
      continue
    }
    const written = full
      ? writeFull(block, full, writer)
      : writeCells(kind, block, bytes, contributor.members, writer)
    const fragment = isByRow && bytes ? { ...written, row: bytes } : written
    if (isKept) closed.put(number, fragment)
    putFragment(asked, asked.closed, number, fragment)
  }
}

/** Makes fragments of windows that are over and in no row yet: of all in their day or month that the contributor speaks for. */
async function addOpen<C>(series: SteadySeries<C>, asked: Asked, kept: SeriesFragments): Promise<void> {
  const { source, kind, blocks, contributor, writer } = series
  const { now } = asked
  const numbers = new Set<number>()
  for (const piece of piecesOf(asked)) {
    if (isDone(piece)) continue
    for (const { from, to } of piece.open) if (to <= now) numbers.add(blocks.numberAt(from))
  }
  for (const number of numbers) {
    const edges = blocks.block(number)?.edges
    if (!edges) continue
    const spans = spansOf(edges).filter((span) => span.to <= now && covers(contributor.stay, span))
    const windows = await kind.any(source, contributor, spans, now)
    const before = asked.open.find((_fragment, index) => asked.runs[index]?.number === number)
    const fragment = fragmentOf(edges, windows, writer, before)
    kept.put(number, fragment)
    putFragment(asked, asked.open, number, fragment)
  }
}

/** Windows that no fragment has. */
interface Open {
  open: Span[]
}

const isDone = (piece: Piece | Open): piece is Piece => !('open' in piece)

/** The windows in order. */
function piecesOf({ edges, now, runs, closed, loose, open }: Asked): (Piece | Open)[] {
  const pieces: (Piece | Open)[] = []
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index]
    if (!run) continue
    const whole = loose[index]
    if (whole) {
      pieces.push(whole)
      continue
    }
    for (let done = 0; done < run.count; ) {
      const piece = takeFrom(closed[index], run, done, now) ?? takeFrom(open[index], run, done, now)
      if (piece) {
        pieces.push(piece)
        done += piece.count
        continue
      }
      const at = run.first + done
      const span = { from: edges[at] ?? 0, to: edges[at + 1] ?? 0 }
      const last = pieces.at(-1)
      if (last && !isDone(last)) last.open.push(span)
      else pieces.push({ open: [span] })
      done += 1
    }
  }
  return pieces
}

/** The windows of a run, but for those that are done, that a fragment has and that are over. */
function takeFrom(fragment: Fragment | undefined, run: Run, done: number, now: number): Piece | undefined {
  if (!fragment || run.from === undefined) return undefined
  const { edges, unbroken } = fragment
  const from = run.from + done
  const end = run.from + run.count
  let to = Math.max(from, Math.min(end, unbroken))
  while (to > from && (edges[to] ?? 0) > now) to -= 1
  while (to < end && isWritten(fragment, to) && (edges[to + 1] ?? 0) <= now) to += 1
  return to > from ? new WrittenPiece(fragment, from, to) : undefined
}

/** With windows that are not over yet, computed for this answer alone. */
async function withOpen<C>(
  { source, kind, contributor, writer }: SteadySeries<C>,
  { now }: Asked,
  pieces: readonly (Piece | Open)[],
): Promise<Piece[]> {
  const done: Piece[] = []
  for (const piece of pieces) {
    if (isDone(piece)) {
      done.push(piece)
      continue
    }
    const edges = [...piece.open.map(({ from }) => from), piece.open.at(-1)?.to ?? 0]
    const fragment = fragmentOf(edges, await kind.any(source, contributor, piece.open, now), writer)
    done.push(new WrittenPiece(fragment, 0, piece.open.length))
  }
  return done
}

function toText<C>({ kind }: SteadySeries<C>, pieces: readonly Piece[]): SeriesText {
  const tally = new Tally()
  const digest = new Digest()
  for (const piece of pieces) piece.addTo(tally, digest)
  const total = tally.total()
  return { windows: () => join(pieces), digest, hasData: total.count > 0, summary: kind.summary(total) }
}

function join(pieces: readonly Piece[]): string {
  let windows = ''
  for (const piece of pieces) windows += piece.text(windows === '')
  return windows
}

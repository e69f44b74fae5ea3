import { isSameBytes } from '../reading/bytes.ts'
import type { Span } from '../reading/window-value.ts'
import type { BlockKind } from './block.ts'
import type { CellSource } from './cells.ts'
import { type Contributor, covers } from './contribution.ts'
import { type Fragment, fragmentOf, type WritePoint, writeFragment } from './fragment.ts'
import type { SeriesFragments } from './fragments.ts'
import type { SeriesText } from './series-texts.ts'
import type { StoredRow } from './store.ts'
import { createTally } from './tally.ts'
import { spansOf } from './utility.ts'
import type { WindowKind } from './window-kind.ts'

/** A series with a single contributor, which was there all the time. */
export interface SteadySeries<C> {
  source: CellSource
  kind: WindowKind<C>
  blocks: BlockKind
  contributor: Contributor
  seriesId: number
  edges: readonly number[]
  now: number
  write: WritePoint
}

/** What is kept of a series. */
export interface KeptText {
  /** Of rows that are rolled up, while those stay. */
  closed: SeriesFragments
  /** Nobody says whether they stay: each is compared with the row it was made of. */
  isByRow: boolean
  /** Of windows that are over and not rolled up yet, while no reading comes; undefined where nobody would know. */
  open: SeriesFragments | undefined
}

/** Closed windows out of fragments, the others from rollups and readings. */
export async function steadyText<C>(series: SteadySeries<C>, kept: KeptText): Promise<SeriesText> {
  const { source, blocks, seriesId } = series
  const found = findKept(series, kept)
  const [from, to] = [found.missing[0], found.missing.at(-1)]
  if (from !== undefined && to !== undefined)
    addRows(series, kept, found, await source.rollups[blocks.table](source.siteUuid, seriesId, from, to))
  if (kept.open) await addOpen(series, kept.open, found)
  return join(series, await withOpen(series, piecesOf(series, found)))
}

/** The same from what is kept and `rows`, which are there at once; undefined where readings would have to be asked. */
export function steadyTextAtOnce<C>(
  series: SteadySeries<C>,
  kept: KeptText,
  rows: (seriesId: number, from: number, to: number) => StoredRow[],
): SeriesText | undefined {
  const found = findKept(series, kept)
  const [from, to] = [found.missing[0], found.missing.at(-1)]
  if (from !== undefined && to !== undefined) addRows(series, kept, found, rows(series.seriesId, from, to))
  const pieces = piecesOf(series, found)
  return pieces.every(isWritten) ? join(series, pieces) : undefined
}

/** The fragments of the windows, by the number of their row. */
interface Found {
  closed: Map<number, Fragment>
  open: Map<number, Fragment>
  /** Rows that are not among those kept. */
  missing: number[]
}

function findKept<C>({ blocks, edges }: SteadySeries<C>, { closed, isByRow, open }: KeptText): Found {
  const found: Found = { closed: new Map(), open: new Map(), missing: [] }
  const last = blocks.numberAt(edges.at(-2) ?? 0)
  for (let number = blocks.numberAt(edges[0] ?? 0); number <= last; number += 1) {
    const known = isByRow ? undefined : closed.get(number)
    if (known) found.closed.set(number, known)
    else found.missing.push(number)
    const knownOpen = open?.get(number)
    if (knownOpen) found.open.set(number, knownOpen)
  }
  return found
}

/**
 * The hours of older days are asked for once in a while, by anybody: keeping those too would drive out the others. As long as the
 * longest range of hours.
 */
const KEPT_HOURS_MS = 31 * 86_400_000

const ALL: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** Makes fragments of rows, and keeps them. */
function addRows<C>(
  { kind, blocks, contributor, edges, now, write }: SteadySeries<C>,
  { closed, isByRow }: KeptText,
  found: Found,
  rows: readonly StoredRow[],
): void {
  const asked = { from: edges[0] ?? 0, to: edges.at(-1) ?? 0 }
  for (const number of found.missing) {
    const block = blocks.block(number)
    if (!block) continue
    const bytes = rows.find((row) => row.number === number)?.cells
    const known = isByRow && bytes ? closed.get(number) : undefined
    if (known?.row && bytes && isSameBytes(known.row, bytes)) {
      found.closed.set(number, known)
      continue
    }
    const row = (bytes && kind.cells.unpack(bytes, contributor.members)) ?? []
    const isKept = blocks.table === 'months' || (block.edges.at(-1) ?? 0) > now - KEPT_HOURS_MS
    const written = writeFragment(kind, block, row, contributor.members, isKept ? ALL : asked, write)
    const fragment = isByRow && bytes ? { ...written, row: bytes } : written
    if (isKept) closed.put(number, fragment)
    found.closed.set(number, fragment)
  }
}

/** Makes fragments of windows that are over and in no row yet: of all in their day or month that the contributor speaks for. */
async function addOpen<C>(series: SteadySeries<C>, kept: SeriesFragments, found: Found): Promise<void> {
  const { source, kind, blocks, contributor, now, write } = series
  const numbers = new Set<number>()
  for (const piece of piecesOf(series, found)) {
    if (isWritten(piece)) continue
    for (const { from, to } of piece.open) if (to <= now) numbers.add(blocks.numberAt(from))
  }
  for (const number of numbers) {
    const edges = blocks.block(number)?.edges
    if (!edges) continue
    const spans = spansOf(edges).filter((span) => span.to <= now && covers(contributor.stay, span))
    const windows = await kind.any(source, contributor, spans, now)
    const fragment = fragmentOf(edges, windows, write, found.open.get(number))
    kept.put(number, fragment)
    found.open.set(number, fragment)
  }
}

type Written = { fragment: Fragment; from: number; to: number }
type Piece = Written | { open: Span[] }

const isWritten = (piece: Piece): piece is Written => 'fragment' in piece

/** The windows in order, as runs that a fragment has and runs that none has. */
function piecesOf<C>({ blocks, edges, now }: SteadySeries<C>, { closed, open }: Found): Piece[] {
  const pieces: Piece[] = []
  for (let index = 0; index < edges.length - 1; ) {
    const at = edges[index] ?? 0
    const number = blocks.numberAt(at)
    const piece = runOf(closed.get(number), edges, index, now) ?? runOf(open.get(number), edges, index, now)
    if (piece) {
      pieces.push(piece)
      index += piece.to - piece.from
      continue
    }
    const span = { from: at, to: edges[index + 1] ?? at }
    const last = pieces.at(-1)
    if (last && !isWritten(last)) last.open.push(span)
    else pieces.push({ open: [span] })
    index += 1
  }
  return pieces
}

/** The windows of a fragment that are written, over and asked for, from one of those asked for on. */
function runOf(
  fragment: Fragment | undefined,
  edges: readonly number[],
  index: number,
  now: number,
): Written | undefined {
  if (!fragment) return undefined
  const { edges: own, starts } = fragment
  const from = own.indexOf(edges[index] ?? 0)
  if (from < 0) return undefined
  let to = from
  for (; to < own.length - 1; to += 1) {
    const end = own[to + 1] ?? 0
    if (starts[to] === starts[to + 1] || end > now || edges[index + to - from + 1] !== end) break
  }
  return to > from ? { fragment, from, to } : undefined
}

/** With windows that are not over yet, computed for this answer alone. */
async function withOpen<C>(
  { source, kind, contributor, now, write }: SteadySeries<C>,
  pieces: readonly Piece[],
): Promise<Written[]> {
  const written: Written[] = []
  for (const piece of pieces) {
    if (isWritten(piece)) {
      written.push(piece)
      continue
    }
    const edges = [...piece.open.map(({ from }) => from), piece.open.at(-1)?.to ?? 0]
    const fragment = fragmentOf(edges, await kind.any(source, contributor, piece.open, now), write)
    written.push({ fragment, from: 0, to: piece.open.length })
  }
  return written
}

function join<C>({ kind }: SteadySeries<C>, pieces: readonly Written[]): SeriesText {
  const tally = createTally()
  let windows = ''
  for (const { fragment, from, to } of pieces) {
    tally.addAll(fragment, from, to)
    // The comma before the first window is not wanted. Cut off at the end, it would cost a copy of the whole text.
    const start = (fragment.starts[from] ?? 0) + (windows === '' ? 1 : 0)
    windows += fragment.text.slice(start, fragment.starts[to])
  }
  const total = tally.total()
  return { windows, hasData: total.count > 0, summary: kind.summary(total) }
}

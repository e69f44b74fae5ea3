import { TextDigest } from '../lib/text-digest.ts'
import { isSameBytes } from '../reading/bytes.ts'
import type { Span } from '../reading/window-value.ts'
import type { BlockKind } from './block.ts'
import { type Run, runsOf } from './block-runs.ts'
import type { CellSource } from './cells.ts'
import { type Contributor, covers } from './contribution.ts'
import { DIGESTS, type Fragment, fragmentOf, isWritten, type WritePoint, writeFragment } from './fragment.ts'
import type { SeriesFragments } from './fragments.ts'
import type { SeriesText } from './series-texts.ts'
import type { StoredRow } from './store.ts'
import { createTally } from './tally.ts'
import { spansOf } from './utility.ts'
import type { WindowKind } from './window-kind.ts'

/** A series with a single contributor. */
export interface SteadySeries<C> {
  source: CellSource
  kind: WindowKind<C>
  blocks: BlockKind
  contributor: Contributor
  seriesId: number
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

/** Windows that the contributor was there for: those that are closed out of fragments, the others from rollups and readings. */
export async function steadyText<C>(
  series: SteadySeries<C>,
  edges: readonly number[],
  now: number,
  kept: KeptText,
): Promise<SeriesText> {
  const { source, blocks, seriesId } = series
  const asked = ask(series, edges, now, kept)
  const [from, to] = [asked.missing[0], asked.missing.at(-1)]
  if (from !== undefined && to !== undefined)
    addRows(series, asked, kept, await source.rollups[blocks.table](source.siteUuid, seriesId, from, to))
  if (kept.open) await addOpen(series, asked, kept.open)
  return toText(series, await withOpen(series, asked, piecesOf(asked)))
}

/** The same from what is kept and `rows`, which are there at once; undefined where readings would have to be asked. */
export function steadyTextAtOnce<C>(
  series: SteadySeries<C>,
  edges: readonly number[],
  now: number,
  kept: KeptText,
  rows: (seriesId: number, from: number, to: number) => StoredRow[],
): SeriesText | undefined {
  const asked = ask(series, edges, now, kept)
  const [from, to] = [asked.missing[0], asked.missing.at(-1)]
  if (from !== undefined && to !== undefined) addRows(series, asked, kept, rows(series.seriesId, from, to))
  const pieces = piecesOf(asked)
  return pieces.every(isDone) ? toText(series, pieces) : undefined
}

/** The windows asked for, and the fragments of their blocks, each in the place of its run. */
interface Asked {
  edges: readonly number[]
  now: number
  runs: readonly Run[]
  closed: (Fragment | undefined)[]
  open: (Fragment | undefined)[]
  /** Rows that are not among those kept. */
  missing: number[]
}

function ask<C>(
  { blocks }: SteadySeries<C>,
  edges: readonly number[],
  now: number,
  { closed, isByRow, open }: KeptText,
): Asked {
  const asked: Asked = { edges, now, runs: runsOf(blocks, edges), closed: [], open: [], missing: [] }
  for (const { number } of asked.runs) {
    const known = isByRow ? undefined : closed.get(number)
    asked.closed.push(known)
    if (!known && asked.missing.at(-1) !== number) asked.missing.push(number)
    asked.open.push(open?.get(number))
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

/**
 * The hours of older days are asked for once in a while, by anybody: keeping those too would drive out the others. As long as the
 * longest range of hours.
 */
const KEPT_HOURS_MS = 31 * 86_400_000

const ALL: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** Makes fragments of rows, and keeps them. */
function addRows<C>(
  { kind, blocks, contributor, write }: SteadySeries<C>,
  asked: Asked,
  { closed, isByRow }: KeptText,
  rows: readonly StoredRow[],
): void {
  const { edges, now } = asked
  const span = { from: edges[0] ?? 0, to: edges.at(-1) ?? 0 }
  for (const number of asked.missing) {
    const block = blocks.block(number)
    if (!block) continue
    const bytes = rows.find((row) => row.number === number)?.cells
    const known = isByRow && bytes ? closed.get(number) : undefined
    if (known?.row && bytes && isSameBytes(known.row, bytes)) {
      putFragment(asked, asked.closed, number, known)
      continue
    }
    const row = (bytes && kind.cells.unpack(bytes, contributor.members)) ?? []
    const isKept = blocks.table === 'months' || (block.edges.at(-1) ?? 0) > now - KEPT_HOURS_MS
    const written = writeFragment(kind, block, row, contributor.members, isKept ? ALL : span, write)
    const fragment = isByRow && bytes ? { ...written, row: bytes } : written
    if (isKept) closed.put(number, fragment)
    putFragment(asked, asked.closed, number, fragment)
  }
}

/** Makes fragments of windows that are over and in no row yet: of all in their day or month that the contributor speaks for. */
async function addOpen<C>(series: SteadySeries<C>, asked: Asked, kept: SeriesFragments): Promise<void> {
  const { source, kind, blocks, contributor, write } = series
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
    const fragment = fragmentOf(edges, windows, write, before)
    kept.put(number, fragment)
    putFragment(asked, asked.open, number, fragment)
  }
}

/** Windows of a fragment, from one to before another, or windows that no fragment has. */
type Done = { fragment: Fragment; from: number; to: number }
type Piece = Done | { open: Span[] }

const isDone = (piece: Piece): piece is Done => 'fragment' in piece

/** The windows in order. */
function piecesOf({ edges, now, runs, closed, open }: Asked): Piece[] {
  const pieces: Piece[] = []
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index]
    if (!run) continue
    for (let done = 0; done < run.count; ) {
      const piece = takeFrom(closed[index], run, done, now) ?? takeFrom(open[index], run, done, now)
      if (piece) {
        pieces.push(piece)
        done += piece.to - piece.from
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
function takeFrom(fragment: Fragment | undefined, run: Run, done: number, now: number): Done | undefined {
  if (!fragment || run.from === undefined) return undefined
  const { edges } = fragment
  const from = run.from + done
  const end = run.from + run.count
  let to = from
  while (to < end && isWritten(fragment, to) && (edges[to + 1] ?? 0) <= now) to += 1
  return to > from ? { fragment, from, to } : undefined
}

/** With windows that are not over yet, computed for this answer alone. */
async function withOpen<C>(
  { source, kind, contributor, write }: SteadySeries<C>,
  { now }: Asked,
  pieces: readonly Piece[],
): Promise<Done[]> {
  const done: Done[] = []
  for (const piece of pieces) {
    if (isDone(piece)) {
      done.push(piece)
      continue
    }
    const edges = [...piece.open.map(({ from }) => from), piece.open.at(-1)?.to ?? 0]
    const fragment = fragmentOf(edges, await kind.any(source, contributor, piece.open, now), write)
    done.push({ fragment, from: 0, to: piece.open.length })
  }
  return done
}

function toText<C>({ kind }: SteadySeries<C>, pieces: readonly Done[]): SeriesText {
  const tally = createTally()
  const digest = new TextDigest()
  for (const { fragment, from, to } of pieces) {
    tally.addAll(fragment, from, to)
    const { digests } = fragment
    for (let at = from * DIGESTS; at < to * DIGESTS; at += DIGESTS)
      digest.addPart(digests[at] ?? 0, digests[at + 1] ?? 0)
  }
  const total = tally.total()
  return { windows: () => join(pieces), digest, hasData: total.count > 0, summary: kind.summary(total) }
}

function join(pieces: readonly Done[]): string {
  let windows = ''
  for (const { fragment, from, to } of pieces) {
    // The comma before the first window is not wanted. Cut off at the end, it would cost a copy of the whole text.
    const start = (fragment.starts[from] ?? 0) + (windows === '' ? 1 : 0)
    windows += fragment.text.slice(start, fragment.starts[to])
  }
  return windows
}

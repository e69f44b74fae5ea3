import type { Span } from '../reading/window-value.ts'
import type { BlockKind } from './block.ts'
import type { CellSource } from './cells.ts'
import type { Contributor } from './contribution.ts'
import { type Fragment, type WritePoint, writeFragment } from './fragment.ts'
import type { SeriesFragments } from './fragments.ts'
import type { SeriesText } from './series-texts.ts'
import { createTally } from './tally.ts'
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

/** Closed windows out of fragments, the others from rollups and readings. */
export async function steadyText<C>(series: SteadySeries<C>, kept: SeriesFragments): Promise<SeriesText> {
  const { source, kind, contributor, now, write } = series
  const tally = createTally()
  let windows = ''
  for (const piece of piecesOf(series, await fragmentsOf(series, kept))) {
    if ('fragment' in piece) {
      const { fragment, from, to } = piece
      tally.addAll(fragment, from, to)
      windows += fragment.text.slice(fragment.starts[from], fragment.starts[to])
      continue
    }
    for (const { point, figures } of await kind.any(source, contributor, piece.open, now)) {
      tally.add(figures)
      windows += `${write(point)},`
    }
  }
  const total = tally.total()
  return { windows: windows.slice(0, -1), hasData: total.count > 0, summary: kind.summary(total) }
}

/**
 * The hours of older days are asked for once in a while, by anybody: keeping those too would drive out the others. As long as the
 * longest range of hours.
 */
const KEPT_HOURS_MS = 31 * 86_400_000

const ALL: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** The fragments of all windows, by number: those that are kept, and new ones from the rows of the others. */
async function fragmentsOf<C>(
  { source, kind, blocks, contributor, seriesId, edges, now, write }: SteadySeries<C>,
  kept: SeriesFragments,
): Promise<Map<number, Fragment>> {
  const fragments = new Map<number, Fragment>()
  const missing: number[] = []
  const asked = { from: edges[0] ?? 0, to: edges.at(-1) ?? 0 }
  const last = blocks.numberAt(edges.at(-2) ?? 0)
  for (let number = blocks.numberAt(edges[0] ?? 0); number <= last; number += 1) {
    const known = kept.get(number)
    if (known) fragments.set(number, known)
    else missing.push(number)
  }
  const [from, to] = [missing[0], missing.at(-1)]
  if (from === undefined || to === undefined) return fragments
  const rows = await source.rollups[blocks.table](source.siteUuid, seriesId, from, to)
  const cellsOf = new Map(rows.map(({ number, cells }) => [number, cells]))
  for (const number of missing) {
    const block = blocks.block(number)
    if (!block) continue
    const bytes = cellsOf.get(number)
    const row = (bytes && kind.cells.unpack(bytes, contributor.members)) ?? []
    const isKept = blocks.table === 'months' || (block.edges.at(-1) ?? 0) > now - KEPT_HOURS_MS
    const fragment = writeFragment(kind, block, row, contributor.members, isKept ? ALL : asked, write)
    if (isKept) kept.put(number, fragment)
    fragments.set(number, fragment)
  }
  return fragments
}

type Piece = { fragment: Fragment; from: number; to: number } | { open: Span[] }

/** The windows in order, as runs that a fragment has and runs that none has. */
function piecesOf<C>(
  { blocks, edges, now }: SteadySeries<C>,
  fragments: ReadonlyMap<number, Fragment>,
): Piece[] {
  const pieces: Piece[] = []
  for (let index = 0; index < edges.length - 1; ) {
    const at = edges[index] ?? 0
    const fragment = fragments.get(blocks.numberAt(at))
    const from = fragment ? fragment.edges.indexOf(at) : -1
    const to = fragment && from >= 0 ? endOfRun(fragment, from, edges, index, now) : from
    if (fragment && to > from) {
      pieces.push({ fragment, from, to })
      index += to - from
      continue
    }
    const span = { from: at, to: edges[index + 1] ?? at }
    const last = pieces.at(-1)
    if (last && 'open' in last) last.open.push(span)
    else pieces.push({ open: [span] })
    index += 1
  }
  return pieces
}

/** Where the windows of a fragment end that are closed, over and asked for, counted from one of them. */
function endOfRun(
  { edges: own, starts }: Fragment,
  from: number,
  edges: readonly number[],
  index: number,
  now: number,
): number {
  let place = from
  for (; place < own.length - 1; place += 1) {
    const end = own[place + 1] ?? 0
    if (starts[place] === starts[place + 1] || end > now || edges[index + place - from + 1] !== end) break
  }
  return place
}

import { TextDigest } from '../lib/text-digest.ts'
import type { Span } from '../reading/window-value.ts'
import type { Block } from './block.ts'
import type { Figures } from './figures.ts'
import type { Point } from './point.ts'
import type { Window, WindowKind } from './window-kind.ts'

/** How a surface writes a window. */
export type WritePoint = (point: Point) => string

/** The windows of a rollup row as a surface writes them, and what their summary is made of. */
export interface Fragment {
  /** Of the windows, which follow each other. */
  edges: readonly number[]
  /** The windows, each with a comma before it; one that lacks a cell is left out. */
  text: string
  /** Where in the text each window begins; the last is where it ends. */
  starts: readonly number[]
  /** Of each window its count, sum, min and max. */
  figures: readonly number[]
  /** Of each window both halves of the digest of its text. */
  digests: readonly number[]
  /** The row it was made of, where that is what tells whether it still holds. */
  row?: Uint8Array
}

export const FIGURES = 4
export const DIGESTS = 2

export const digestOf = (point: string): TextDigest => new TextDigest().addText(point)

export const isWritten = ({ starts }: Fragment, place: number): boolean => starts[place] !== starts[place + 1]

/** Takes the windows of a fragment one after the other. */
function createFragmentWriter(write: WritePoint) {
  let text = ''
  const starts = [0]
  const figures: number[] = []
  const digests: number[] = []
  return {
    add(point: Point, { count, sum, min, max }: Figures): void {
      const written = write(point)
      const { a, b } = digestOf(written)
      text += `,${written}`
      starts.push(text.length)
      figures.push(count, sum, min, max)
      digests.push(a, b)
    },
    /** As in another, where it may be left out too. */
    copy(from: Fragment | undefined, place: number): void {
      if (from) text += from.text.slice(from.starts[place], from.starts[place + 1])
      starts.push(text.length)
      for (let at = place * FIGURES; at < (place + 1) * FIGURES; at += 1) figures.push(from?.figures[at] ?? 0)
      for (let at = place * DIGESTS; at < (place + 1) * DIGESTS; at += 1) digests.push(from?.digests[at] ?? 0)
    },
    end: (edges: readonly number[]): Fragment => ({ edges, text, starts, figures, digests }),
  }
}

/** Writes those windows of a row that begin in a span. */
export function writeFragment<C>(
  kind: WindowKind<C>,
  { edges, places }: Block,
  row: readonly (C | undefined)[],
  members: number,
  wanted: Span,
  write: WritePoint,
): Fragment {
  const writer = createFragmentWriter(write)
  for (let index = 0; index < edges.length - 1; index += 1) {
    const span = { from: edges[index] ?? 0, to: edges[index + 1] ?? 0 }
    const isWanted = span.from >= wanted.from && span.from < wanted.to
    const cells = isWanted ? cellsOf(row, places[index] ?? 0, places[index + 1] ?? 0) : undefined
    if (cells) {
      const { point, figures } = kind.closed(span, cells, members)
      writer.add(point, figures)
    } else writer.copy(undefined, index)
  }
  return writer.end(edges)
}

/** Of windows that are there already, by the edge they begin at; the others are as in `before`, or left out. */
export function fragmentOf(
  edges: readonly number[],
  windows: readonly Window[],
  write: WritePoint,
  before?: Fragment,
): Fragment {
  const writer = createFragmentWriter(write)
  let next = 0
  for (let index = 0; index < edges.length - 1; index += 1) {
    const window = windows[next]
    if (window && window.point.at === edges[index]) {
      writer.add(window.point, window.figures)
      next += 1
    } else writer.copy(before, index)
  }
  return writer.end(edges)
}

/** Undefined when one of them is missing. */
function cellsOf<C>(row: readonly (C | undefined)[], from: number, to: number): C[] | undefined {
  const cells: C[] = []
  for (let place = from; place < to; place += 1) {
    const cell = row[place]
    if (cell === undefined) return undefined
    cells.push(cell)
  }
  return cells
}

/** What a fragment takes in memory, about: one byte a character, eight a number. */
export const bytesOf = ({ text, starts, figures, digests, row }: Fragment): number =>
  text.length + 8 * (starts.length + figures.length + digests.length) + (row?.length ?? 0) + 250

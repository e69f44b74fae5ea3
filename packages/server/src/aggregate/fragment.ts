import type { Span } from '../reading/window-value.ts'
import type { Block } from './block.ts'
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
  /** The row it was made of, where that is what tells whether it still holds. */
  row?: Uint8Array
}

export const FIGURES = 4

/** Writes those windows of a row that begin in a span. */
export function writeFragment<C>(
  kind: WindowKind<C>,
  { edges, places }: Block,
  row: readonly (C | undefined)[],
  members: number,
  wanted: Span,
  write: WritePoint,
): Fragment {
  const starts = [0]
  const figures: number[] = []
  let text = ''
  for (let index = 0; index < edges.length - 1; index += 1) {
    const span = { from: edges[index] ?? 0, to: edges[index + 1] ?? 0 }
    const isWanted = span.from >= wanted.from && span.from < wanted.to
    const cells = isWanted ? cellsOf(row, places[index] ?? 0, places[index + 1] ?? 0) : undefined
    if (cells) {
      const { point, figures: own } = kind.closed(span, cells, members)
      figures.push(own.count, own.sum, own.min, own.max)
      text += `,${write(point)}`
    } else figures.push(0, 0, 0, 0)
    starts.push(text.length)
  }
  return { edges, text, starts, figures }
}

/** Of windows that are there already, by the edge they begin at; the others are as in `before`, or left out. */
export function fragmentOf(
  edges: readonly number[],
  windows: readonly Window[],
  write: WritePoint,
  before?: Fragment,
): Fragment {
  const starts = [0]
  const figures: number[] = []
  let text = ''
  let next = 0
  for (let index = 0; index < edges.length - 1; index += 1) {
    const window = windows[next]
    if (window && window.point.at === edges[index]) {
      const { count, sum, min, max } = window.figures
      text += `,${write(window.point)}`
      figures.push(count, sum, min, max)
      next += 1
    } else if (before) {
      text += before.text.slice(before.starts[index], before.starts[index + 1])
      figures.push(...before.figures.slice(index * FIGURES, (index + 1) * FIGURES))
    } else figures.push(0, 0, 0, 0)
    starts.push(text.length)
  }
  return { edges, text, starts, figures }
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
export const bytesOf = ({ text, starts, figures, row }: Fragment): number =>
  text.length + 8 * (starts.length + figures.length) + (row?.length ?? 0) + 200

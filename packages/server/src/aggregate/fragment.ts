import { AsciiWriter } from '../lib/ascii-writer.ts'
import { Digest } from '../lib/digest.ts'
import type { Zone } from '../lib/zone.ts'
import { QUALITIES, type Quality } from '../reading/window-value.ts'
import type { Block } from './block.ts'
import { spannedBy } from './climate.ts'
import { FIGURES, type Figures } from './figures.ts'
import type { Point } from './point.ts'
import type { FullWindows, Window, WindowKind } from './window-kind.ts'

/** How a surface writes a window, in three parts of ASCII letters. */
export interface WindowText {
  /** With when it begins, the same in every series of a zone. */
  begin(zone: Zone, at: number): string
  addValues(out: AsciiWriter, value: number | null, min: number | undefined, max: number | undefined): void
  end(quality: Quality, coverage: number, components?: Point['components']): string
}

/** The end of a window that readings span in part or from edge to edge. */
export interface WindowEnd {
  quality: Quality
  coverage: number
  bytes: Uint8Array
}

/** The same for one zone. */
export interface WindowWriter {
  /** For what is written in one go: empty before and after it. */
  out: AsciiWriter
  write(point: Point): string
  addValues: WindowText['addValues']
  /** What each window of a block begins with, a comma before it. */
  begins(block: Block): readonly Uint8Array[]
  /** Of a window of which readings span so much. */
  endOf(share: number): WindowEnd
}

const out = new AsciiWriter()

export function writePoint({ begin, addValues, end }: WindowText, zone: Zone, point: Point): string {
  out.addText(begin(zone, point.at))
  addValues(out, point.value, point.min, point.max)
  return out.addText(end(point.quality, point.coverage, point.components)).take()
}

/** Windows have few lengths, and readings come a few times an hour. */
const MAX_ENDS = 1_000

export function createWindowWriter(zone: Zone, text: WindowText): WindowWriter {
  /** Blocks are kept, and so are these. */
  const begins = new WeakMap<Block, readonly Uint8Array[]>()
  const ends = new Map<number, WindowEnd>()
  let last: { share: number; end: WindowEnd } | undefined
  return {
    out,
    addValues: text.addValues,
    write: (point) => writePoint(text, zone, point),
    begins(block) {
      let known = begins.get(block)
      if (!known) begins.set(block, (known = block.edges.map((at) => bytesIn(`,${text.begin(zone, at)}`))))
      return known
    },
    endOf(share) {
      // Nearly always, as readings come as often in one window as in the next.
      if (last?.share === share) return last.end
      let known = ends.get(share)
      if (!known) {
        if (ends.size >= MAX_ENDS) ends.clear()
        const spanned = spannedBy(share)
        known = { ...spanned, bytes: bytesIn(text.end(spanned.quality, spanned.coverage)) }
        ends.set(share, known)
      }
      last = { share, end: known }
      return known
    },
  }
}

const bytesIn = (text: string): Uint8Array => Buffer.from(text, 'latin1')

/** The windows of a rollup row as a surface writes them, and what their summary is made of. */
export interface Fragment {
  /** Of the windows, which follow each other. */
  edges: readonly number[]
  /** The windows, each with a comma before it; one that lacks a cell is left out. */
  text: string
  /** Where in the text each window begins; the last is where it ends. */
  starts: readonly number[]
  /** So many from the first on are there without a gap. */
  unbroken: number
  /** Of each window its figures. */
  figures: readonly number[]
  /** Of each window both halves of its digest. */
  digests: readonly number[]
  /** The row it was made of, where that is what tells whether it still holds. */
  row?: Uint8Array
  /** By which delivery of readings it was made, and where its last window ends, where those are what tells it. */
  made?: { arrival: number; end: number }
}

/** None is left out. */
export const isWhole = ({ unbroken, edges }: Fragment): boolean => unbroken === edges.length - 1

export const DIGESTS = 2

/** Of what a window says but when it is: that follows from the range that the windows are in. */
export function digestOf({ value, min, max, quality, coverage, components }: Point): Digest {
  const digest = digestOfValues(value, min, max, quality, coverage)
  return components ? digest.addText(JSON.stringify(components)) : digest
}

export function digestOfValues(
  value: number | null,
  min: number | undefined,
  max: number | undefined,
  quality: Quality,
  coverage: number,
): Digest {
  const digest = new Digest().addNumber(value ?? Number.NaN)
  if (min !== undefined && max !== undefined) digest.addNumber(min).addNumber(max)
  return digest.addWord(QUALITIES.indexOf(quality)).addNumber(coverage)
}

export const isWritten = ({ starts }: Fragment, place: number): boolean => starts[place] !== starts[place + 1]

/** Takes the windows of a fragment one after the other. */
function createFragment() {
  let text = ''
  const starts = [0]
  const figures: number[] = []
  const digests: number[] = []
  let unbroken = 0
  const end = (): void => {
    const isThere = text.length > (starts.at(-1) ?? 0)
    if (isThere && unbroken === starts.length - 1) unbroken += 1
    starts.push(text.length)
  }
  return {
    add(written: string, { a, b }: Digest, { count, sum, min, max }: Figures): void {
      text += `,${written}`
      end()
      figures.push(count, sum, min, max)
      digests.push(a, b)
    },
    /** As in another, where it may be left out too. */
    copy(from: Fragment | undefined, place: number): void {
      if (from) text += from.text.slice(from.starts[place], from.starts[place + 1])
      end()
      for (let at = place * FIGURES; at < (place + 1) * FIGURES; at += 1) figures.push(from?.figures[at] ?? 0)
      for (let at = place * DIGESTS; at < (place + 1) * DIGESTS; at += 1) digests.push(from?.digests[at] ?? 0)
    },
    toFragment: (edges: readonly number[]): Fragment => ({ edges, text, starts, unbroken, figures, digests }),
  }
}

/** Writes all windows of a row that it has the cells of. */
export function writeCells<C>(
  kind: WindowKind<C>,
  block: Block,
  row: Uint8Array | undefined,
  members: number,
  writer: WindowWriter,
): Fragment {
  const cells = (row && kind.cells.unpack(row, members)) ?? []
  const { edges, places } = block
  const fragment = createFragment()
  for (let index = 0; index < edges.length - 1; index += 1) {
    const span = { from: edges[index] ?? 0, to: edges[index + 1] ?? 0 }
    const own = cellsOf(cells, places[index] ?? 0, places[index + 1] ?? 0)
    if (own) {
      const { point, figures } = kind.closed(span, own, members)
      fragment.add(writer.write(point), digestOf(point), figures)
    } else fragment.copy(undefined, index)
  }
  return fragment.toFragment(edges)
}

const NOTHING_WRITTEN = new Uint8Array()

/** Writes the windows of a row as nearly all are: no object is made for a window. */
export function writeFull(
  block: Block,
  { values, gauges, shares }: FullWindows,
  writer: WindowWriter,
): Fragment {
  const begins = writer.begins(block)
  const starts = [0]
  const figures: number[] = []
  const digests: number[] = []
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0
    const [min, max] = [gauges?.mins[index], gauges?.maxs[index]]
    const { quality, coverage, bytes } = writer.endOf(shares?.[index] ?? 1)
    out.add(begins[index] ?? NOTHING_WRITTEN)
    writer.addValues(out, value, min, max)
    starts.push(out.add(bytes).length)
    figures.push(gauges?.counts[index] ?? 1, gauges?.sums[index] ?? value, min ?? value, max ?? value)
    const { a, b } = digestOfValues(value, min, max, quality, coverage)
    digests.push(a, b)
  }
  return { edges: block.edges, text: out.take(), starts, unbroken: values.length, figures, digests }
}

/** Of windows that are there already, by the edge they begin at; the others are as in `before`, or left out. */
export function fragmentOf(
  edges: readonly number[],
  windows: readonly Window[],
  writer: WindowWriter,
  before?: Fragment,
): Fragment {
  const fragment = createFragment()
  let next = 0
  for (let index = 0; index < edges.length - 1; index += 1) {
    const window = windows[next]
    if (window && window.point.at === edges[index]) {
      const { point, figures } = window
      fragment.add(writer.write(point), digestOf(point), figures)
      next += 1
    } else fragment.copy(before, index)
  }
  return fragment.toFragment(edges)
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

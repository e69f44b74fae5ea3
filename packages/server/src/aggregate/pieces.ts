import type { Digest } from '../lib/digest.ts'
import type { Block } from './block.ts'
import { FIGURES } from './figures.ts'
import { DIGESTS, digestOfValues, type Fragment, type WindowWriter } from './fragment.ts'
import type { Tally } from './tally.ts'
import type { FullWindows } from './window-kind.ts'

/** Windows that follow each other, ready to be written. */
export interface Piece {
  readonly count: number
  addTo(tally: Tally, digest: Digest): void
  /** With a comma between them, and one before them where others come first. */
  text(isFirst: boolean): string
}

/** Windows of a fragment, from one to before another. */
export class WrittenPiece implements Piece {
  readonly #fragment: Fragment
  readonly #from: number
  readonly #to: number

  constructor(fragment: Fragment, from: number, to: number) {
    this.#fragment = fragment
    this.#from = from
    this.#to = to
  }

  get count(): number {
    return this.#to - this.#from
  }

  addTo(tally: Tally, digest: Digest): void {
    const { figures, digests } = this.#fragment
    tally.addFrom(figures, this.#from * FIGURES, this.#to * FIGURES)
    digest.addParts(digests, this.#from * DIGESTS, this.#to * DIGESTS)
  }

  text(isFirst: boolean): string {
    const { text, starts } = this.#fragment
    // Cut off at the end, the comma would cost a copy of the whole text.
    return text.slice((starts[this.#from] ?? 0) + Number(isFirst), starts[this.#to])
  }
}

/** Windows of a row that nobody keeps the text of: what a fragment has beside the text would be thrown away with it. */
export class FullPiece implements Piece {
  readonly #windows: FullWindows
  readonly #begins: readonly Uint8Array[]
  readonly #writer: WindowWriter
  readonly #from: number
  readonly #to: number

  constructor(windows: FullWindows, block: Block, writer: WindowWriter, from: number, to: number) {
    this.#windows = windows
    this.#begins = writer.begins(block)
    this.#writer = writer
    this.#from = from
    this.#to = to
  }

  get count(): number {
    return this.#to - this.#from
  }

  addTo(tally: Tally, digest: Digest): void {
    const { values, gauges, shares } = this.#windows
    for (let window = this.#from; window < this.#to; window += 1) {
      const value = values[window] ?? 0
      const [min, max] = [gauges?.mins[window], gauges?.maxs[window]]
      tally.add(gauges?.counts[window] ?? 1, gauges?.sums[window] ?? value, min ?? value, max ?? value)
      const { quality, coverage } = this.#writer.endOf(shares?.[window] ?? 1)
      const { a, b } = digestOfValues(value, min, max, quality, coverage)
      digest.addPart(a, b)
    }
  }

  text(isFirst: boolean): string {
    const { values, gauges, shares } = this.#windows
    const { out, addValues, endOf } = this.#writer
    for (let window = this.#from; window < this.#to; window += 1) {
      const begin = this.#begins[window]
      if (begin) out.add(isFirst && out.length === 0 ? begin.subarray(1) : begin)
      addValues(out, values[window] ?? 0, gauges?.mins[window], gauges?.maxs[window])
      out.add(endOf(shares?.[window] ?? 1).bytes)
    }
    return out.take()
  }
}

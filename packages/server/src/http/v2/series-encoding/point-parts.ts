import { QUALITIES } from '../../../domain/telemetry/reading/window-value.ts'
import { byteAt, int32At } from '../../../kernel/at.ts'
import type { AsciiWriter } from './ascii-writer.ts'

/** The parts of an encoded window; `components` are absent in most series, `min` and `max` in those of meters. */
export const [TIMESTAMP, VALUE, MIN, MAX, QUALITY, COVERAGE, COMPONENTS] = [0, 1, 2, 3, 4, 5, 6] as const

export type Part = 0 | 1 | 2 | 3 | 4 | 5 | 6

const NUMBERS_PER_WINDOW = 14

const EXTREMES = [MIN, MAX] as const

const [QUOTE, COMMA, BRACE, LETTER_M, LETTER_N] = [34, 44, 125, 109, 110]

const BEFORE_TIMESTAMP = '{"timestamp":"'.length
const BEFORE_VALUE = '","value":'.length
const BEFORE_EXTREME = ',"min":'.length
const BEFORE_QUALITY = ',"quality":'.length
const BEFORE_COVERAGE = ',"coverage":'.length
const BEFORE_COMPONENTS = ',"components":'.length

/** Bytes that need no search for the end of their part. */
const MIN_TIMESTAMP = '2026-11-14T10:00:00'.length
const MIN_QUALITY = Math.min(...QUALITIES.map(({ length }) => length))

/**
 * Finds the parts of windows in the text that `point-encoder.ts` writes. Every other representation copies them, so
 * that a number has the same digits in each.
 */
export class PointParts {
  #bytes = Buffer.allocUnsafeSlow(64 * 1024)
  /** Start and end of each part of each window. */
  #spans = new Int32Array(400 * NUMBERS_PER_WINDOW)
  #count = 0

  /** Number of windows. */
  get count(): number {
    return this.#count
  }

  /** `windows`: encoded windows, separated by commas. */
  read(windows: string): this {
    const { length } = windows
    if (this.#bytes.length < length) this.#bytes = Buffer.allocUnsafeSlow(2 * length)
    this.#bytes.write(windows, 0, 'latin1')
    this.#count = 0
    for (let at = 0; at < length; at += 1) at = this.#readWindow(at)
    return this
  }

  has(window: number, part: Part): boolean {
    const index = window * NUMBERS_PER_WINDOW + 2 * part
    return this.#spans[index] !== this.#spans[index + 1]
  }

  /** Whether the value of a window is null. */
  isMissing(window: number): boolean {
    return byteAt(this.#bytes, int32At(this.#spans, window * NUMBERS_PER_WINDOW + 2 * VALUE)) === LETTER_N
  }

  /** Copies a part; nothing if it is absent. */
  copy(out: AsciiWriter, window: number, part: Part): void {
    const index = window * NUMBERS_PER_WINDOW + 2 * part
    out.addSlice(this.#bytes, int32At(this.#spans, index), int32At(this.#spans, index + 1))
  }

  /** Copies a text without its quotation marks. */
  copyUnquoted(out: AsciiWriter, window: number, part: Part): void {
    const index = window * NUMBERS_PER_WINDOW + 2 * part
    out.addSlice(this.#bytes, int32At(this.#spans, index) + 1, int32At(this.#spans, index + 1) - 1)
  }

  /** Returns the position after the window. */
  #readWindow(start: number): number {
    this.#reserve()
    // Local variables: V8 would otherwise load the fields for every byte.
    const bytes = this.#bytes
    const spans = this.#spans
    const first = this.#count * NUMBERS_PER_WINDOW
    this.#count += 1
    let from = start + BEFORE_TIMESTAMP
    let to = find(bytes, from + MIN_TIMESTAMP, QUOTE)
    setSpan(spans, first, TIMESTAMP, from, to)
    from = to + BEFORE_VALUE
    to = find(bytes, from, COMMA)
    setSpan(spans, first, VALUE, from, to)
    for (const extreme of EXTREMES) {
      if (byteAt(bytes, to + 2) !== LETTER_M) {
        setSpan(spans, first, extreme, 0, 0)
        continue
      }
      from = to + BEFORE_EXTREME
      to = find(bytes, from, COMMA)
      setSpan(spans, first, extreme, from, to)
    }
    // With its quotation marks.
    from = to + BEFORE_QUALITY
    to = find(bytes, from + 1 + MIN_QUALITY, QUOTE) + 1
    setSpan(spans, first, QUALITY, from, to)
    from = to + BEFORE_COVERAGE
    to = from
    while (byteAt(bytes, to) !== COMMA && byteAt(bytes, to) !== BRACE) to += 1
    setSpan(spans, first, COVERAGE, from, to)
    if (byteAt(bytes, to) === BRACE) {
      setSpan(spans, first, COMPONENTS, 0, 0)
      return to + 1
    }
    from = to + BEFORE_COMPONENTS
    to = find(bytes, from, BRACE) + 1
    setSpan(spans, first, COMPONENTS, from, to)
    return to + 1
  }

  #reserve(): void {
    if ((this.#count + 1) * NUMBERS_PER_WINDOW <= this.#spans.length) return
    const larger = new Int32Array(2 * this.#spans.length)
    larger.set(this.#spans)
    this.#spans = larger
  }
}

function setSpan(spans: Int32Array, first: number, part: Part, from: number, to: number): void {
  spans[first + 2 * part] = from
  spans[first + 2 * part + 1] = to
}

function find(bytes: Uint8Array, from: number, byte: number): number {
  let place = from
  while (byteAt(bytes, place) !== byte) place += 1
  return place
}

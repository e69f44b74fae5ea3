import { byteAt } from '../../../kernel/at.ts'

const EXACT = 1e6
const MAX_EXACT = 1e15
const [MINUS, POINT, ZERO] = [45, 46, 48]

/** The three decimal digits of each number below 1000. */
const DIGITS = Buffer.from(
  Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0')).join(''),
)

/** Not `at()`: a call site that sees many array types becomes megamorphic and several times slower. */
function digitAt(index: number): number {
  const digit = DIGITS[index]
  if (digit === undefined) throw new RangeError(`No digit ${index}.`)
  return digit
}

/**
 * Builds ASCII text byte by byte. For many short pieces this takes half the time of string concatenation and leaves no
 * garbage but the result.
 */
export class AsciiWriter {
  #bytes = Buffer.allocUnsafeSlow(16 * 1024)
  #at = 0

  get length(): number {
    return this.#at
  }

  add(part: Uint8Array): this {
    this.#reserve(part.length)
    this.#bytes.set(part, this.#at)
    this.#at += part.length
    return this
  }

  /** Adds a few bytes: for these, a loop takes a fraction of the time of `set`. */
  addSlice(part: Uint8Array, from: number, to: number): this {
    this.#reserve(to - from)
    // Local variables: V8 would otherwise load and store the fields for every byte.
    const bytes = this.#bytes
    let at = this.#at
    for (let index = from; index < to; index += 1) bytes[at++] = byteAt(part, index)
    this.#at = at
    return this
  }

  addText(part: string): this {
    this.#reserve(part.length)
    this.#at += this.#bytes.write(part, this.#at, 'latin1')
    return this
  }

  /** Formats a number as JavaScript does. */
  addNumber(value: number): this {
    const scaled = Math.round(value * EXACT)
    // A number with at most 15 significant digits is written with exactly these digits: no shorter text parses to it.
    if (scaled / EXACT !== value || scaled > MAX_EXACT || scaled < -MAX_EXACT)
      return this.addText(String(value))
    this.#reserve(24)
    const size = Math.abs(scaled)
    if (scaled < 0) this.#bytes[this.#at++] = MINUS
    const whole = Math.floor(size / EXACT)
    if (whole < 1000) this.#addSmall(whole)
    else this.#addWhole(whole)
    const rest = size - whole * EXACT
    if (rest > 0) this.#addDecimals(rest | 0)
    return this
  }

  /** Returns the text written since the last call. */
  take(): string {
    const text = this.#bytes.toString('latin1', 0, this.#at)
    this.#at = 0
    return text
  }

  /** Writes a number of at most three digits. */
  #addSmall(whole: number): void {
    if (whole >= 100) this.#bytes[this.#at++] = digitAt(3 * whole)
    if (whole >= 10) this.#bytes[this.#at++] = digitAt(3 * whole + 1)
    this.#bytes[this.#at++] = digitAt(3 * whole + 2)
  }

  /** Writes six decimals without trailing zeros. */
  #addDecimals(decimals: number): void {
    const first = (decimals / 1000) | 0
    this.#bytes[this.#at++] = POINT
    this.#addThree(first)
    if (decimals > first * 1000) this.#addThree(decimals - first * 1000)
    while (this.#bytes[this.#at - 1] === ZERO) this.#at -= 1
  }

  #addThree(digits: number): void {
    this.#bytes[this.#at++] = digitAt(3 * digits)
    this.#bytes[this.#at++] = digitAt(3 * digits + 1)
    this.#bytes[this.#at++] = digitAt(3 * digits + 2)
  }

  #addWhole(whole: number): void {
    let length = 1
    for (let next = 10; next <= whole; next *= 10) length += 1
    this.#at += length
    let rest = whole
    for (let index = this.#at - 1; index >= this.#at - length; index -= 1) {
      const left = Math.floor(rest / 10)
      this.#bytes[index] = ZERO + rest - left * 10
      rest = left
    }
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.#at + count))
    larger.set(this.#bytes.subarray(0, this.#at))
    this.#bytes = larger
  }
}

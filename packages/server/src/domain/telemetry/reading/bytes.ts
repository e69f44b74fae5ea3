import { byteAt } from '../../../kernel/at.ts'

/** Writes numbers as bytes; integers have variable length. */
export class ByteWriter {
  readonly #buffer: Buffer
  #at = 0

  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafe(size * 2)
  }

  byte(value: number): void {
    this.#buffer[this.#at++] = value
  }

  /** Variable-length integer: seven bits per byte, lowest first. Arithmetic instead of shifts, which have 32 bits. */
  unsigned(value: number): void {
    let rest = value
    while (rest >= 128) {
      this.#buffer[this.#at++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    this.#buffer[this.#at++] = rest
  }

  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value)
  }

  double(value: number): void {
    this.#at = this.#buffer.writeDoubleLE(value, this.#at)
  }

  bits(flags: readonly boolean[]): void {
    for (let start = 0; start < flags.length; start += 8) {
      let byte = 0
      for (let bit = 0; bit < 8; bit += 1) if (flags[start + bit]) byte |= 1 << bit
      this.byte(byte)
    }
  }

  bytes(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#buffer, 0, this.#at)
  }
}

/** A read beyond the end: the bytes are damaged or have another layout. */
export class EndOfBytes extends RangeError {}

export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  byte(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw new EndOfBytes(`There are only ${this.#bytes.length} bytes.`)
    return byte
  }

  unsigned(): number {
    let byte = this.byte()
    if (byte < 128) return byte
    let value = byte - 128
    let factor = 128
    do {
      byte = this.byte()
      value += (byte % 128) * factor
      factor *= 128
    } while (byte >= 128)
    return value
  }

  signed(): number {
    const value = this.unsigned()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  double(): number {
    const value = new DataView(this.#bytes.buffer, this.#bytes.byteOffset).getFloat64(this.#at, true)
    this.#at += 8
    return value
  }

  bits(count: number): boolean[] {
    const flags: boolean[] = []
    for (let start = 0; start < count; start += 8) {
      const byte = this.byte()
      for (let bit = 0; bit < 8 && start + bit < count; bit += 1) flags.push((byte & (1 << bit)) !== 0)
    }
    return flags
  }

  /** Advances by the same number of bytes as `bits`. */
  areAllSet(count: number): boolean {
    let areSet = true
    for (let left = count; left > 0; left -= 8) {
      const all = left >= 8 ? 255 : (1 << left) - 1
      if (this.byte() !== all) areSet = false
    }
    return areSet
  }

  /** Number of unread bytes; negative after reading beyond the end. */
  left(): number {
    return this.#bytes.length - this.#at
  }

  take(count: number): Uint8Array {
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }
}

export const isSameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

const BITS_IN_BYTE = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte.toString(2).replaceAll('0', '').length,
)

/** Number of bits that are set. */
export function countBits(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) count += byteAt(BITS_IN_BYTE, byte)
  return count
}

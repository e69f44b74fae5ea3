/**
 * The readings of one series and day in a few bytes: steps of time as runs, values as scaled whole numbers, each written as
 * the difference to the one before. Values that are no short decimals are kept as they are.
 *
 * Layout: version, count, first time in the day, runs of (step, length); decimals or RAW, first value, differences.
 */
export interface Readings {
  /** Milliseconds since 1970, ascending, no two alike. */
  timestamps: number[]
  values: number[]
}

export const DAY_MS = 86_400_000

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS)

const VERSION = 1
const MAX_DECIMALS = 6
const RAW = 255

export function packDay(day: number, { timestamps, values }: Readings): Uint8Array {
  const out = new Writer(timestamps.length * 10 + 32)
  out.byte(VERSION)
  out.unsigned(timestamps.length)
  writeTimes(out, day * DAY_MS, timestamps)
  writeValues(out, values)
  return out.bytes()
}

export function unpackDay(day: number, bytes: Uint8Array): Readings {
  const input = new Reader(bytes)
  if (input.byte() !== VERSION) throw new Error('A packed day of an unknown version.')
  const count = input.unsigned()
  const timestamps = readTimes(input, day * DAY_MS, count)
  return { timestamps, values: readValues(input, count) }
}

function writeTimes(out: Writer, start: number, timestamps: readonly number[]): void {
  let last = timestamps[0] ?? start
  out.unsigned(last - start)
  for (let index = 1; index < timestamps.length; ) {
    const step = (timestamps[index] ?? 0) - last
    let length = 0
    while (index < timestamps.length && (timestamps[index] ?? 0) - last === step) {
      last = timestamps[index] ?? 0
      length += 1
      index += 1
    }
    out.unsigned(step)
    out.unsigned(length)
  }
}

function readTimes(input: Reader, start: number, count: number): number[] {
  const timestamps: number[] = []
  let at = start + input.unsigned()
  if (count > 0) timestamps.push(at)
  while (timestamps.length < count) {
    const step = input.unsigned()
    for (let length = input.unsigned(); length > 0; length -= 1) timestamps.push((at += step))
  }
  return timestamps
}

function writeValues(out: Writer, values: readonly number[]): void {
  const decimals = commonDecimals(values)
  out.byte(decimals ?? RAW)
  if (decimals === undefined) {
    for (const value of values) out.double(value)
    return
  }
  const scale = 10 ** decimals
  let last = 0
  for (const value of values) {
    const scaled = Math.round(value * scale)
    out.signed(scaled - last)
    last = scaled
  }
}

function readValues(input: Reader, count: number): number[] {
  const values: number[] = []
  const decimals = input.byte()
  if (decimals === RAW) {
    for (let index = 0; index < count; index += 1) values.push(input.double())
    return values
  }
  const scale = 10 ** decimals
  let last = 0
  for (let index = 0; index < count; index += 1) {
    last += input.signed()
    values.push(last / scale)
  }
  return values
}

/** The fewest decimals that give every value back exactly, or undefined when none up to six do. */
function commonDecimals(values: readonly number[]): number | undefined {
  let decimals = 0
  for (const value of values) {
    if (Object.is(value, -0)) return undefined
    for (;;) {
      const scaled = Math.round(value * 10 ** decimals)
      if (Math.abs(scaled) > 2 ** 50) return undefined
      if (scaled / 10 ** decimals === value) break
      decimals += 1
      if (decimals > MAX_DECIMALS) return undefined
    }
  }
  return decimals
}

class Writer {
  readonly #buffer: Buffer
  #at = 0

  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafe(size * 2)
  }

  byte(value: number): void {
    this.#buffer[this.#at++] = value
  }

  /** Seven bits a byte, lowest first; arithmetic instead of shifts, which stop at 32 bits. */
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

  bytes(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#buffer, 0, this.#at)
  }
}

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0
  }

  unsigned(): number {
    let byte = this.#bytes[this.#at++] ?? 0
    if (byte < 128) return byte
    let value = byte - 128
    let factor = 128
    do {
      byte = this.#bytes[this.#at++] ?? 0
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
}

import { numberAt } from '../../../kernel/at.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'

const MAX_DECIMALS = 6
const RAW = 255
/** Differences of two such integers are exact. */
const MAX_SCALED = 2 ** 50
const SCALES = Array.from({ length: MAX_DECIMALS + 1 }, (_, decimals) => 10 ** decimals)

/** Writes numbers as differences of scaled integers, or as floats if they are not short decimals. */
export function writeValues(out: ByteWriter, values: ArrayLike<number>): void {
  const decimals = commonDecimals(values)
  out.byte(decimals ?? RAW)
  if (decimals === undefined) {
    for (let index = 0; index < values.length; index += 1) out.double(numberAt(values, index))
    return
  }
  const scale = 10 ** decimals
  let last = 0
  for (let index = 0; index < values.length; index += 1) {
    const scaled = Math.round(numberAt(values, index) * scale)
    out.signed(scaled - last)
    last = scaled
  }
}

export function readValues(input: ByteReader, count: number): number[] {
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

/** Like `readValues`, but reads the values of a list one at a time. */
export function valueReader(input: ByteReader): () => number {
  const decimals = input.byte()
  if (decimals === RAW) return () => input.double()
  const scale = 10 ** decimals
  let last = 0
  return () => {
    last += input.signed()
    return last / scale
  }
}

/** Skips a list without decoding its values. */
export function skipValues(input: ByteReader, count: number): void {
  if (input.byte() === RAW) input.take(8 * count)
  else for (let index = 0; index < count; index += 1) input.unsigned()
}

/** The smallest number of decimals, up to six, that represents every value exactly; undefined if there is none. */
function commonDecimals(values: ArrayLike<number>): number | undefined {
  let decimals = 0
  let scale = 1
  let largest = 0
  for (let index = 0; index < values.length; index += 1) {
    const value = numberAt(values, index)
    if (Object.is(value, -0)) return undefined
    largest = Math.max(largest, Math.abs(value))
    for (;;) {
      const scaled = Math.round(value * scale)
      if (Math.abs(scaled) > MAX_SCALED) return undefined
      if (scaled / scale === value) break
      decimals += 1
      const finer = SCALES[decimals]
      if (finer === undefined) return undefined
      scale = finer
    }
  }
  // A later value may have needed a finer scale than the one with which an earlier value was checked.
  return largest * scale > MAX_SCALED ? undefined : decimals
}

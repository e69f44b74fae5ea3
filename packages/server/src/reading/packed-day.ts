import { ByteReader, ByteWriter } from './bytes.ts'
import { readValues, writeValues } from './value-list.ts'

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

export function packDay(day: number, { timestamps, values }: Readings): Uint8Array {
  const out = new ByteWriter(timestamps.length * 10 + 32)
  out.byte(VERSION)
  out.unsigned(timestamps.length)
  writeTimes(out, day * DAY_MS, timestamps)
  writeValues(out, values)
  return out.bytes()
}

export function unpackDay(day: number, bytes: Uint8Array): Readings {
  const input = new ByteReader(bytes)
  if (input.byte() !== VERSION) throw new Error('A packed day of an unknown version.')
  const count = input.unsigned()
  const timestamps = readTimes(input, day * DAY_MS, count)
  return { timestamps, values: readValues(input, count) }
}

function writeTimes(out: ByteWriter, start: number, timestamps: readonly number[]): void {
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

function readTimes(input: ByteReader, start: number, count: number): number[] {
  const timestamps: number[] = []
  let at = start + input.unsigned()
  if (count > 0) timestamps.push(at)
  while (timestamps.length < count) {
    const step = input.unsigned()
    for (let length = input.unsigned(); length > 0; length -= 1) timestamps.push((at += step))
  }
  return timestamps
}

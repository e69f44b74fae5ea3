import { numberAt } from '../../../kernel/at.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import { readValues, writeValues } from './value-list.ts'

/**
 * The readings of one series and day in a few bytes: time steps are run-length encoded, values are scaled integers,
 * each stored as the difference to the previous one. Values that are not short decimals are stored as floats.
 *
 * Layout: RUNS, count, first time in the day, runs of (step, length); decimals or RAW, first value, differences. For a
 * complete day of readings at a fixed number of minutes, EVERY and the minutes replace everything before the decimals.
 */
export interface Readings {
  /** Epoch milliseconds, strictly ascending. */
  timestamps: number[]
  values: number[]
}

/** Readings in lists of any kind. */
export interface ReadingLists {
  timestamps: ArrayLike<number>
  values: ArrayLike<number>
}

export const DAY_MS = 86_400_000

export const utcDayNumber = (ms: number): number => Math.floor(ms / DAY_MS)

const RUNS = 1
const EVERY = 2

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

export function packDay(day: number, { timestamps, values }: ReadingLists): Uint8Array {
  const out = new ByteWriter(timestamps.length * 10 + 32)
  const minutes = minutesBetween(day, timestamps)
  if (minutes === undefined) {
    out.byte(RUNS)
    out.unsigned(timestamps.length)
    writeTimes(out, day * DAY_MS, timestamps)
  } else {
    out.byte(EVERY)
    out.byte(minutes)
  }
  writeValues(out, values)
  return out.bytes()
}

export function unpackDay(day: number, bytes: Uint8Array): Readings {
  const input = new ByteReader(bytes)
  const layout = input.byte()
  if (layout !== RUNS && layout !== EVERY) throw new Error('A packed day has an unknown layout.')
  const timestamps = layout === EVERY ? timesEvery(day, input.byte()) : readTimes(input, day)
  return { timestamps, values: readValues(input, timestamps.length) }
}

/** Packs a day again: one that was packed by a version without the EVERY layout may take more bytes. */
export function repackDay(day: number, bytes: Uint8Array): Uint8Array {
  const isOlder = bytes[0] === RUNS && minutesBetween(day, readTimes(new ByteReader(bytes.subarray(1)), day))
  return isOlder ? packDay(day, unpackDay(day, bytes)) : bytes
}

/** Undefined if a reading of the day is missing or not at a multiple of the step. */
function minutesBetween(day: number, timestamps: ArrayLike<number>): number | undefined {
  const minutes = DAY_MINUTES / timestamps.length
  if (!Number.isInteger(minutes) || minutes > 255) return undefined
  for (let index = 0; index < timestamps.length; index += 1)
    if (timestamps[index] !== day * DAY_MS + index * minutes * MINUTE_MS) return undefined
  return minutes
}

/** A loop: with a callback for each time, it takes five times as long. */
function timesEvery(day: number, minutes: number): number[] {
  const times: number[] = []
  const start = day * DAY_MS
  if (minutes === 0) throw new Error('A packed day has no step.')
  const step = minutes * MINUTE_MS
  for (let time = start; time < start + DAY_MS; time += step) times.push(time)
  return times
}

function writeTimes(out: ByteWriter, start: number, timestamps: ArrayLike<number>): void {
  let last = timestamps[0] ?? start
  out.unsigned(last - start)
  for (let index = 1; index < timestamps.length; ) {
    const step = numberAt(timestamps, index) - last
    let length = 0
    while (index < timestamps.length && numberAt(timestamps, index) - last === step) {
      last = numberAt(timestamps, index)
      length += 1
      index += 1
    }
    out.unsigned(step)
    out.unsigned(length)
  }
}

function readTimes(input: ByteReader, day: number): number[] {
  const timestamps: number[] = []
  const count = input.unsigned()
  let at = day * DAY_MS + input.unsigned()
  if (count > 0) timestamps.push(at)
  while (timestamps.length < count) {
    const step = input.unsigned()
    for (let length = input.unsigned(); length > 0; length -= 1) timestamps.push((at += step))
  }
  return timestamps
}

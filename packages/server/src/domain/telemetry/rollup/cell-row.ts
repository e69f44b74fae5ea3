import { at } from '../../../kernel/at.ts'
import { ByteReader, ByteWriter, countBits, EndOfBytes } from '../reading/bytes.ts'
import {
  type GaugeCell,
  type MeterCell,
  NO_GAPS,
  NO_GAUGE,
  NONE_UNREAD,
  ONE_UNREAD,
} from '../reading/cell.ts'
import type { Gaps } from '../reading/gaps.ts'
import { readQuarterHourRow, skipQuarterHourRow } from './quarter-hour-row.ts'
import { readValues, skipValues, valueReader, writeValues } from '../reading/value-list.ts'

/**
 * A row of cells in a few bytes: the slots of a day, or the days of a month. A missing cell is still open. Properties
 * that are the same for the whole row, which is nearly always the case, are stored once.
 */
const METER_ROW = 1
/** Written by earlier releases, for days whose readings are deleted. */
const QUARTER_HOUR_ROW = 2
const GAUGE_ROW = 3

/** Flags of a meter row: properties that are stored for each cell. */
const SOME_OPEN = 1
const SOME_MISSING = 2
const SOME_GAPS = 4
const SOME_UNREAD = 8
const SOME_SUSPECT = 16

type Row<C> = readonly (C | undefined)[]

const isClosed = <C>(cell: C | undefined): cell is C => cell !== undefined

export function packMeterRow(row: Row<MeterCell>, meters: number): Uint8Array {
  const cells = row.filter(isClosed)
  const values = cells.flatMap(({ value }) => value ?? [])
  const flags =
    (cells.length < row.length ? SOME_OPEN : 0) |
    (values.length < cells.length ? SOME_MISSING : 0) |
    (cells.some(({ gapMs }) => gapMs > 0) ? SOME_GAPS : 0) |
    (cells.some(({ unread }) => unread.length > 0) ? SOME_UNREAD : 0) |
    (cells.some(({ isSuspect }) => isSuspect) ? SOME_SUSPECT : 0)
  const out = new ByteWriter(row.length * (16 + meters) + 32)
  out.byte(METER_ROW)
  out.unsigned(row.length)
  out.unsigned(meters)
  out.byte(flags)
  if (flags & SOME_OPEN) out.bits(row.map(isClosed))
  if (flags & SOME_MISSING) out.bits(cells.map(({ value }) => value !== null))
  if (flags & SOME_GAPS) for (const { gapMs } of cells) out.unsigned(gapMs)
  if (flags & SOME_UNREAD) for (const { unread } of cells) writeUnread(out, unread, meters)
  if (flags & SOME_SUSPECT) out.bits(cells.map(({ isSuspect }) => isSuspect))
  writeValues(out, values)
  return out.bytes()
}

export interface MeterRow {
  meters: number
  cells: Row<MeterCell>
}

export function unpackMeterRow(bytes: Uint8Array): MeterRow {
  const input = new ByteReader(bytes)
  if (input.byte() !== METER_ROW) throw new Error('A rollup row has an unknown kind.')
  const length = input.unsigned()
  const meters = input.unsigned()
  const flags = input.byte()
  const closedBits = flags & SOME_OPEN ? input.bits(length) : undefined
  const count = closedBits ? closedBits.filter(Boolean).length : length
  const measured = flags & SOME_MISSING ? input.bits(count) : undefined
  const gaps = flags & SOME_GAPS ? Array.from({ length: count }, () => input.unsigned()) : undefined
  const unread =
    flags & SOME_UNREAD ? Array.from({ length: count }, () => readUnread(input, meters)) : undefined
  const suspect = flags & SOME_SUSPECT ? input.bits(count) : undefined
  const values = readValues(input, measured ? measured.filter(Boolean).length : count)
  const cells: (MeterCell | undefined)[] = []
  let next = 0
  let nextValue = 0
  for (let index = 0; index < length; index += 1) {
    if (closedBits && !closedBits[index]) {
      cells.push(undefined)
      continue
    }
    const isMeasured = !measured || measured[next] === true
    cells.push({
      value: isMeasured ? at(values, nextValue) : null,
      gapMs: gaps ? at(gaps, next) : 0,
      unread: unread ? at(unread, next) : NONE_UNREAD,
      isSuspect: suspect ? at(suspect, next) : false,
    })
    next += 1
    if (isMeasured) nextValue += 1
  }
  return { meters, cells }
}

/** The values of a row that contains only values; undefined for any other row or another number of meters. */
export function readMeterColumns(bytes: Uint8Array, meters: number): readonly number[] | undefined {
  const input = new ByteReader(bytes)
  if (input.byte() !== METER_ROW) throw new Error('A rollup row has an unknown kind.')
  const length = input.unsigned()
  if (input.unsigned() !== meters || input.byte() !== 0) return undefined
  return readValues(input, length)
}

/** Marks an open cell in a list of values. Values are finite, and NaN marks a missing one. */
export const OPEN_CELL = Number.NEGATIVE_INFINITY

/**
 * Reads the values of a row into a list, without an object per cell: NaN where nothing was measured, `OPEN_CELL` where
 * the cell is open. Returns the number of cells, or undefined for a row with another number of meters or one longer
 * than the list. With `isTrusted`, suspect cells are NaN as well.
 */
export function readMeterValues(
  bytes: Uint8Array,
  meters: number,
  into: Float64Array,
  isTrusted = false,
): number | undefined {
  const input = new ByteReader(bytes)
  if (input.byte() !== METER_ROW) throw new Error('A rollup row has an unknown kind.')
  const length = input.unsigned()
  if (input.unsigned() !== meters || length > into.length) return undefined
  const flags = input.byte()
  const closedBits = flags & SOME_OPEN ? input.take((length + 7) >> 3) : undefined
  const count = closedBits ? countBits(closedBits) : length
  const measured = flags & SOME_MISSING ? input.take((count + 7) >> 3) : undefined
  if (flags & SOME_GAPS) for (let cell = 0; cell < count; cell += 1) input.unsigned()
  if (flags & SOME_UNREAD) {
    for (let cell = 0; cell < count; cell += 1) {
      for (let left = input.unsigned(); left > 1; left -= 1) input.unsigned()
    }
  }
  const suspect = flags & SOME_SUSPECT ? input.take((count + 7) >> 3) : undefined
  const nextValue = valueReader(input)
  let cell = 0
  for (let index = 0; index < length; index += 1) {
    if (closedBits && !isSet(closedBits, index)) {
      into[index] = OPEN_CELL
      continue
    }
    into[index] = measured && !isSet(measured, cell) ? Number.NaN : nextValue()
    if (isTrusted && suspect && isSet(suspect, cell)) into[index] = Number.NaN
    cell += 1
  }
  return length
}

function isSet(bits: Uint8Array, index: number): boolean {
  const byte = bits[index >> 3]
  if (byte === undefined) throw new RangeError(`No bit ${index}.`)
  return (byte & (1 << (index & 7))) !== 0
}
/** Writes none, all, or the indexes of the unread meters. */
function writeUnread(out: ByteWriter, unread: readonly number[], meters: number): void {
  if (unread.length === 0) return out.unsigned(0)
  if (unread.length === meters) return out.unsigned(1)
  out.unsigned(unread.length + 1)
  for (const meter of unread) out.unsigned(meter)
}

function readUnread(input: ByteReader, meters: number): readonly number[] {
  const flags = input.unsigned()
  if (flags === 0) return NONE_UNREAD
  if (flags === 1 && meters === 1) return ONE_UNREAD
  if (flags === 1) return Array.from({ length: meters }, (_, meter) => meter)
  return Array.from({ length: flags - 1 }, () => input.unsigned())
}

/** Flags of a gauge row, which also has SOME_OPEN and SOME_GAPS: cells without a reading, and those with a value. */
const SOME_EMPTY = 2
const SOME_STANDING = 8

const hasValue = ({ count, standing }: GaugeCell): boolean => count > 0 || standing > 0

export function packGaugeRow(row: Row<GaugeCell>): Uint8Array {
  const cells = row.filter(isClosed)
  const read = cells.filter(({ count }) => count > 0)
  const empty = cells.filter(({ count }) => count === 0)
  const known = cells.filter(hasValue)
  const flags =
    (cells.length < row.length ? SOME_OPEN : 0) |
    (empty.length > 0 ? SOME_EMPTY : 0) |
    (known.some(({ gaps }) => gaps.length > 0) ? SOME_GAPS : 0) |
    (empty.some(hasValue) ? SOME_STANDING : 0)
  const gapNumbers = known.reduce((sum, { gaps }) => sum + gaps.length, 0)
  const out = new ByteWriter(row.length * 40 + gapNumbers * 8 + 32)
  out.byte(GAUGE_ROW)
  out.unsigned(row.length)
  out.byte(flags)
  if (flags & SOME_OPEN) out.bits(row.map(isClosed))
  if (flags & SOME_EMPTY) out.bits(cells.map(({ count }) => count > 0))
  if (flags & SOME_STANDING) for (const { standing } of empty) out.unsigned(standing)
  if (flags & SOME_GAPS) for (const { gaps } of known) writeGaps(out, gaps)
  for (const [list, values] of [
    [read, ({ count }: GaugeCell) => count],
    [known, ({ sum }: GaugeCell) => sum],
    [known, ({ min }: GaugeCell) => min],
    [known, ({ max }: GaugeCell) => max],
  ] as const)
    writeValues(out, list.map(values))
  return out.bytes()
}

/** Writes the number of gaps, and each edge as the distance to the previous one. */
function writeGaps(out: ByteWriter, gaps: Gaps): void {
  out.unsigned(gaps.length / 2)
  let last = 0
  for (const edge of gaps) {
    out.unsigned(edge - last)
    last = edge
  }
}

function readGaps(input: ByteReader): Gaps {
  const count = input.unsigned()
  if (count === 0) return NO_GAPS
  let last = 0
  return Array.from({ length: count * 2 }, () => (last += input.unsigned()))
}

export function unpackGaugeRow(bytes: Uint8Array): Row<GaugeCell> {
  const input = new ByteReader(bytes)
  const kind = input.byte()
  if (kind === QUARTER_HOUR_ROW) return readQuarterHourRow(input)
  if (kind !== GAUGE_ROW) throw new Error('A rollup row has an unknown kind.')
  const length = input.unsigned()
  const flags = input.byte()
  const closedBits = flags & SOME_OPEN ? input.bits(length) : undefined
  const closed = closedBits ? closedBits.filter(Boolean).length : length
  const isRead = flags & SOME_EMPTY ? input.bits(closed) : undefined
  const readCount = isRead ? isRead.filter(Boolean).length : closed
  const standing =
    flags & SOME_STANDING ? Array.from({ length: closed - readCount }, () => input.unsigned()) : undefined
  const known = readCount + (standing ? standing.filter((count) => count > 0).length : 0)
  const gaps = flags & SOME_GAPS ? Array.from({ length: known }, () => readGaps(input)) : undefined
  const counts = readValues(input, readCount)
  const sums = readValues(input, known)
  const mins = readValues(input, known)
  const maxs = readValues(input, known)
  const cells: (GaugeCell | undefined)[] = []
  let [cell, nextRead, nextEmpty, next] = [0, 0, 0, 0]
  for (let index = 0; index < length; index += 1) {
    if (closedBits && !closedBits[index]) {
      cells.push(undefined)
      continue
    }
    const hasReadings = !isRead || isRead[cell] === true
    cell += 1
    const carried = hasReadings ? 0 : standing ? at(standing, nextEmpty) : 0
    if (!hasReadings) nextEmpty += 1
    if (!hasReadings && carried === 0) {
      cells.push(NO_GAUGE)
      continue
    }
    cells.push({
      count: hasReadings ? at(counts, nextRead++) : 0,
      sum: at(sums, next),
      min: at(mins, next),
      max: at(maxs, next),
      standing: carried,
      gaps: gaps ? at(gaps, next) : NO_GAPS,
    })
    next += 1
  }
  return cells
}

/** More than the quarter hours of the longest local day. */
const MAX_CELLS = 127

/** Whether the bytes are exactly one row. Allocates nothing: damaged bytes may claim any number of cells. */
export function isCompleteRow(bytes: Uint8Array): boolean {
  try {
    return endsWithRow(new ByteReader(bytes))
  } catch (error) {
    if (error instanceof EndOfBytes) return false
    throw error
  }
}

function endsWithRow(input: ByteReader): boolean {
  const kind = input.byte()
  const length = input.unsigned()
  if (length > MAX_CELLS) return false
  if (kind === METER_ROW) skipMeterRow(input, length)
  else if (kind === GAUGE_ROW) skipGaugeRow(input, length)
  else if (kind === QUARTER_HOUR_ROW) skipQuarterHourRow(input, length)
  else return false
  return input.left() === 0
}

function skipMeterRow(input: ByteReader, length: number): void {
  input.unsigned()
  const flags = input.byte()
  const count = flags & SOME_OPEN ? skipBits(input, length) : length
  const measured = flags & SOME_MISSING ? skipBits(input, count) : count
  if (flags & SOME_GAPS) for (let cell = 0; cell < count; cell += 1) input.unsigned()
  if (flags & SOME_UNREAD) {
    for (let cell = 0; cell < count; cell += 1) {
      for (let left = input.unsigned(); left > 1 && input.left() > 0; left -= 1) input.unsigned()
    }
  }
  if (flags & SOME_SUSPECT) skipBits(input, count)
  skipValues(input, measured)
}

function skipGaugeRow(input: ByteReader, length: number): void {
  const flags = input.byte()
  const closed = flags & SOME_OPEN ? skipBits(input, length) : length
  const read = flags & SOME_EMPTY ? skipBits(input, closed) : closed
  let known = read
  if (flags & SOME_STANDING)
    for (let cell = read; cell < closed; cell += 1) known += input.unsigned() > 0 ? 1 : 0
  if (flags & SOME_GAPS) {
    for (let cell = 0; cell < known; cell += 1)
      for (let edges = input.unsigned() * 2; edges > 0 && input.left() > 0; edges -= 1) input.unsigned()
  }
  skipValues(input, read)
  for (let list = 0; list < 3; list += 1) skipValues(input, known)
}

/** Skips `count` bits and returns how many of them are set. */
const skipBits = (input: ByteReader, count: number): number => countBits(input.take((count + 7) >> 3))

/** The cells of a row of either kind, with any number of members. */
export const unpackRow = (bytes: Uint8Array): Row<MeterCell | GaugeCell> =>
  bytes[0] === METER_ROW ? unpackMeterRow(bytes).cells : unpackGaugeRow(bytes)

export interface FullGaugeRow {
  gaps: Gaps[]
  counts: number[]
  sums: number[]
  mins: number[]
  maxs: number[]
}

/** The columns of a row in which every cell is closed and has readings; undefined for any other row. */
export function readGaugeColumns(bytes: Uint8Array): FullGaugeRow | undefined {
  const input = new ByteReader(bytes)
  const kind = input.byte()
  if (kind === QUARTER_HOUR_ROW) return undefined
  if (kind !== GAUGE_ROW) throw new Error('A rollup row has an unknown kind.')
  const length = input.unsigned()
  const flags = input.byte()
  if (flags & (SOME_OPEN | SOME_EMPTY)) return undefined
  const gaps: Gaps[] = []
  for (let cell = 0; cell < length; cell += 1) gaps.push(flags & SOME_GAPS ? readGaps(input) : NO_GAPS)
  const counts = readValues(input, length)
  const sums = readValues(input, length)
  const mins = readValues(input, length)
  const maxs = readValues(input, length)
  return { gaps, counts, sums, mins, maxs }
}

/** The row with some cells open again; undefined if none is left. */
export function clearCells(
  bytes: Uint8Array,
  isReopened: (index: number) => boolean,
): Uint8Array | undefined {
  const reopen = <C>(row: Row<C>): Row<C> => row.map((cell, index) => (isReopened(index) ? undefined : cell))
  if (bytes[0] === METER_ROW) {
    const { meters, cells } = unpackMeterRow(bytes)
    const left = reopen(cells)
    return left.some(isClosed) ? packMeterRow(left, meters) : undefined
  }
  const left = reopen(unpackGaugeRow(bytes))
  return left.some(isClosed) ? packGaugeRow(left) : undefined
}

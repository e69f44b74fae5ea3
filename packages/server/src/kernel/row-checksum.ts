import { crc32 } from 'node:zlib'

/** Kinds of rows with a checksum. The numbers seed the checksums, so that a row is not valid in another table. */
const KINDS = {
  reading_days: 1,
  rollup_days: 2,
  rollup_months: 3,
  rollup_quarter_hours: 4,
  journal: 5,
  journal_span: 6,
  journal_state: 7,
  latest_readings: 8,
  series_days: 9,
  inventory: 10,
} as const

export type ChecksummedRow = keyof typeof KINDS

/**
 * CRC-32 of a row's bytes, seeded with its key, as a signed 32-bit integer. The multipliers are odd, so that changing
 * one part of the key always changes the seed: a row that is found under a damaged key fails its check.
 */
export function rowChecksum(
  kind: ChecksummedRow,
  seriesId: number,
  number: number,
  bytes: Uint8Array,
): number {
  // In a damaged row, a column may have any type.
  if (!(bytes instanceof Uint8Array)) return Number.NaN
  const seed =
    Math.imul(seriesId, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b) ^ Math.imul(KINDS[kind], 0xc2b2ae35)
  return crc32(bytes, seed >>> 0) | 0
}

/** Continues a checksum with the bytes that follow. */
export const continueChecksum = (checksum: number, bytes: Uint8Array): number =>
  crc32(bytes, checksum >>> 0) | 0

/** The checksum of a row that consists of numbers only. */
export const numbersChecksum = (kind: ChecksummedRow, numbers: readonly number[]): number =>
  // SQLite stores -0 as 0.
  rowChecksum(kind, 0, 0, new Uint8Array(Float64Array.from(numbers, (number) => number + 0).buffer))

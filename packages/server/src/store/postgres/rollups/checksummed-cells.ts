import { isCompleteRow } from '../../../domain/telemetry/rollup/cell-row.ts'
import { rowChecksum } from '../../../kernel/row-checksum.ts'
import type { DamagedRow } from '../../store.ts'

export type RollupTable = 'rollup_days' | 'rollup_months' | 'rollup_quarter_hours'

/** A row that failed its check. */
export interface DamagedRollup extends DamagedRow {
  table: RollupTable
  seriesId: number
  number: number
}

/** Precedes the checksum. Eight fixed bytes, so that the end of a row without a checksum is not mistaken for one. */
const MARK = Buffer.from('\u0000#crc32\u0000', 'latin1')
const TRAILER_BYTES = MARK.length + 4

interface RowBytes {
  seriesId: number
  number: number
  cells: Uint8Array
}

/**
 * The bytes that are stored for a row: its cells, a mark and their CRC-32. The checksum is part of `cells` because the
 * previous release replaces this column and no other: a row that it rewrites beside this release has no checksum,
 * instead of a wrong one. Its decoders ignore what follows the cells.
 */
export function appendChecksum(table: RollupTable, { seriesId, number, cells }: RowBytes): Uint8Array {
  const stored = Buffer.concat([cells, MARK], cells.length + TRAILER_BYTES)
  stored.writeInt32LE(rowChecksum(table, seriesId, number, cells), cells.length + MARK.length)
  return stored
}

/**
 * The cells of a stored row; undefined when it is damaged. A row without a checksum was written by an earlier release
 * and has to end where its cells end: if the mark is damaged, extra bytes follow the cells.
 */
export function verifyCells(
  table: RollupTable,
  { seriesId, number, cells }: RowBytes,
): Uint8Array | undefined {
  if (!hasChecksum(cells)) return isCompleteRow(cells) ? cells : undefined
  const own = cells.subarray(0, cells.length - TRAILER_BYTES)
  const stored = new DataView(cells.buffer, cells.byteOffset, cells.length).getInt32(cells.length - 4, true)
  return rowChecksum(table, seriesId, number, own) === stored ? own : undefined
}

export const hasChecksum = (cells: Uint8Array): boolean =>
  cells.length >= TRAILER_BYTES && MARK.equals(cells.subarray(cells.length - TRAILER_BYTES, cells.length - 4))

import type { Windows } from '../../../calendar/interval.ts'
import type { Columns } from '../../../domain/telemetry/series/columns.ts'
import { suspectSumIn } from '../../../domain/telemetry/series/stats.ts'
import type { PointEncoder } from './point-encoder.ts'
import { digestWindow } from './point-encoder.ts'

/** The windows of a rollup row as JSON, and the data from which summaries and ETags are computed. */
export interface EncodedBlock {
  windows: Windows
  /** The windows, each preceded by a comma. Windows without data in the row are left out. */
  text: string
  /** Offset of each window in the text; the last entry is the length of the text. */
  starts: readonly number[]
  /** Number of windows from the first one up to the first gap. */
  completePrefix: number
  /** `STATS_PER_WINDOW` numbers for each window. */
  stats: readonly number[]
  /** `WORDS_PER_DIGEST` numbers for each window. */
  digests: readonly number[]
  /** The row that was encoded, if the block's validity depends on it. */
  row?: EncodedRow
  /** The last import that the block includes and the end of its last window, if its validity depends on them. */
  validity?: { sequence: number; end: number }
}

export interface EncodedRow {
  /** Undefined if there was no row. */
  bytes: Uint8Array | undefined
  /** The version of the series at which the row was last read, if it was known. */
  version: number | undefined
}

export const WORDS_PER_DIGEST = 2

const NO_STATS: readonly number[] = [0, 0, Number.NaN, Number.NaN, 0]

/** Whether no window is left out. */
export const isComplete = ({ completePrefix, windows }: EncodedBlock): boolean =>
  completePrefix === windows.length

export const hasWindow = ({ starts }: EncodedBlock, index: number): boolean =>
  starts[index] !== starts[index + 1]

/** Encodes windows for the cache. `columns` begin at window `first`; windows outside of them are left out. */
export function encodeColumns(
  encoder: PointEncoder,
  windows: Windows,
  columns: (Columns & { absent?: Uint8Array }) | undefined,
  first = 0,
): EncodedBlock {
  const { out } = encoder
  const prefixes = encoder.prefixes(windows)
  const starts = [0]
  const stats: number[] = []
  const digests: number[] = []
  let completePrefix = 0
  for (const [index, prefix] of prefixes.entries()) {
    const window = index - first
    if (!columns || window < 0 || window >= columns.values.length || columns.absent?.[window] === 1) {
      starts.push(out.length)
      stats.push(...NO_STATS)
      digests.push(0, 0)
      continue
    }
    const { values, mins = values, maxs = values, counts, sums } = columns
    out.add(prefix)
    encoder.add(columns, window)
    if (completePrefix === index) completePrefix += 1
    starts.push(out.length)
    stats.push(
      counts[window] ?? Number.NaN,
      sums[window] ?? Number.NaN,
      mins[window] ?? Number.NaN,
      maxs[window] ?? Number.NaN,
      suspectSumIn(columns, window),
    )
    const { a, b } = digestWindow(columns, window)
    digests.push(a, b)
  }
  return { windows, text: out.take(), starts, completePrefix, stats, digests }
}

/** Approximate memory: one byte per character, eight per number. */
export const sizeInBytes = ({ text, starts, stats, digests, row }: EncodedBlock): number =>
  text.length + 8 * (starts.length + stats.length + digests.length) + (row?.bytes?.length ?? 0) + 250

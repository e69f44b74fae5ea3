import type { Windows } from '../../../calendar/interval.ts'
import type { Columns } from '../../../domain/telemetry/series/columns.ts'
import type { PointEncoder } from './point-encoder.ts'
import { digestWindow } from './point-encoder.ts'

/** The windows of a rollup row as JSON, and what a summary and an ETag are computed from. */
export interface EncodedBlock {
  windows: Windows
  /** The windows, each with a comma before it. A window without data in the row is left out. */
  text: string
  /** Where in the text each window begins; the last entry is the length of the text. */
  starts: readonly number[]
  /** Number of windows from the first on without a gap. */
  completePrefix: number
  /** `STATS_PER_WINDOW` numbers for each window. */
  stats: readonly number[]
  /** `WORDS_PER_DIGEST` numbers for each window. */
  digests: readonly number[]
  /** The bytes that it was encoded from, where these tell whether it is still valid. */
  row?: Uint8Array
  /** The last delivery of readings that it includes and the end of its last window, where these tell whether it is still valid. */
  validity?: { sequence: number; end: number }
}

export const WORDS_PER_DIGEST = 2

/** No window is left out. */
export const isComplete = ({ completePrefix, windows }: EncodedBlock): boolean =>
  completePrefix === windows.length

export const hasWindow = ({ starts }: EncodedBlock, place: number): boolean =>
  starts[place] !== starts[place + 1]

/** Encodes windows to be cached. `columns` begin at the window with the place `first`; windows outside of them are left out. */
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
  for (const [place, prefix] of prefixes.entries()) {
    const window = place - first
    if (!columns || window < 0 || window >= columns.values.length || columns.absent?.[window] === 1) {
      starts.push(out.length)
      stats.push(0, 0, 0, 0)
      digests.push(0, 0)
      continue
    }
    const { values, mins = values, maxs = values, counts, sums } = columns
    out.add(prefix)
    encoder.add(columns, window)
    if (completePrefix === place) completePrefix += 1
    starts.push(out.length)
    stats.push(
      counts[window] ?? Number.NaN,
      sums[window] ?? Number.NaN,
      mins[window] ?? Number.NaN,
      maxs[window] ?? Number.NaN,
    )
    const { a, b } = digestWindow(columns, window)
    digests.push(a, b)
  }
  return { windows, text: out.take(), starts, completePrefix, stats, digests }
}

/** Approximate memory: one byte per character, eight per number. */
export const sizeInBytes = ({ text, starts, stats, digests, row }: EncodedBlock): number =>
  text.length + 8 * (starts.length + stats.length + digests.length) + (row?.length ?? 0) + 250

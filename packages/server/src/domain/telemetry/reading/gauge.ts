import { byteAt, numberAt } from '../../../kernel/at.ts'
import { type GaugeCell, NO_GAUGE, tidySum } from './cell.ts'
import { lowerBound } from '../../../kernel/binary-search.ts'
import type { Readings } from './packed-day.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'

export const QUARTER_MS = 15 * 60_000

export function gaugeCell({ timestamps, values }: Readings, span: TimeSpan): GaugeCell {
  const start = Math.floor(span.from / QUARTER_MS)
  let { count, sum, min, max, quarters } = NO_GAUGE
  for (let index = lowerBound(timestamps, span.from); index < timestamps.length; index += 1) {
    const at = numberAt(timestamps, index)
    if (at >= span.to) break
    const value = numberAt(values, index)
    // Allocated only if needed: most quarter hours of most sensors are empty.
    if (count === 0) quarters = new Uint8Array(Math.ceil(quartersIn(span) / 8))
    count += 1
    sum += value
    min = Math.min(min, value)
    max = Math.max(max, value)
    const quarter = Math.floor(at / QUARTER_MS) - start
    quarters[quarter >> 3] = byteAt(quarters, quarter >> 3) | (1 << (quarter & 7))
  }
  return count === 0 ? NO_GAUGE : { count, sum: tidySum(sum), min, max, quarters }
}

export const quartersIn = (span: TimeSpan): number =>
  Math.max(1, Math.ceil(span.to / QUARTER_MS) - Math.floor(span.from / QUARTER_MS))

/** Marks the quarter hours in which a cell has readings in `seen`, which starts at quarter hour `first`. */
export function markQuarters(
  seen: Uint8Array,
  first: number,
  { quarters }: GaugeCell,
  cellFrom: number,
): void {
  const start = Math.floor(cellFrom / QUARTER_MS) - first
  for (let quarter = 0; quarter < quarters.length * 8; quarter += 1) {
    if ((byteAt(quarters, quarter >> 3) & (1 << (quarter & 7))) !== 0) seen[start + quarter] = 1
  }
}

const BITS_IN_BYTE = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte.toString(2).replaceAll('0', '').length,
)

/** Number of quarter hours in which a cell has readings. */
export function countQuarters({ quarters }: Pick<GaugeCell, 'quarters'>): number {
  let count = 0
  for (const byte of quarters) count += byteAt(BITS_IN_BYTE, byte)
  return count
}

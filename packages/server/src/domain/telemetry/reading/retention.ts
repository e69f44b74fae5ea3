import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import { numberAt } from '../../../kernel/at.ts'
import { LONGEST_DELTA_MS } from './delta.ts'
import { DAY_MS, utcDayNumber } from './packed-day.ts'

/** Shortest retention: days that are not over in every time zone are always kept. */
const SHORTEST_MS = 2 * DAY_MS
/** The local day in which retention ends is still computed from readings, in any time zone. */
const MARGIN_MS = 2 * DAY_MS

export interface RetentionCutoff {
  /** Rollups of devices for days before this no longer change. */
  immutableBefore: number
  /** Readings before this are deleted, except boundary readings. */
  retentionWatermark: number
}

/** The cutoffs of a retention, at UTC midnights. */
export function getRetentionCutoff(now: number, retentionMs: number): RetentionCutoff {
  const immutableBefore = utcDayNumber(now - Math.max(retentionMs, SHORTEST_MS)) * DAY_MS
  return { immutableBefore, retentionWatermark: immutableBefore - MARGIN_MS }
}

/**
 * The number of boundary readings: readings before the watermark that are kept because later windows depend on them. A
 * register is interpolated from the last one. The length of a delta may depend on the one before it, which is then kept
 * too, and so on: without it, the delta would become longer.
 */
export function boundaryReadingCount(kind: MetricSpec['kind'], timestamps: readonly number[]): number {
  if (kind === 'gauge') return 0
  if (kind === 'register') return Math.min(1, timestamps.length)
  let [count, length] = [0, LONGEST_DELTA_MS]
  for (let index = timestamps.length - 1; index >= 0; index -= 1) {
    count += 1
    const fromPrevious = numberAt(timestamps, index) - (timestamps[index - 1] ?? Number.NEGATIVE_INFINITY)
    if (fromPrevious >= length) break
    length = fromPrevious
  }
  return count
}

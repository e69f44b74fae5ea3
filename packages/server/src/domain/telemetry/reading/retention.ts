import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import { numberAt } from '../../../kernel/at.ts'
import { LONGEST_DELTA_MS } from './delta.ts'
import { DAY_MS, utcDayNumber } from './packed-day.ts'

/** Days that may not be over everywhere stay whatever the retention. */
const SHORTEST_MS = 2 * DAY_MS
/** A calendar day that the retention ends in is still computed from readings, whatever its zone. */
const MARGIN_MS = 2 * DAY_MS

export interface RetentionCutoff {
  /** Devices' rollups of days before this do not change any more. */
  immutableBefore: number
  /** Readings before this go, but for the edge. */
  retentionWatermark: number
}

/** Where a retention cuts, on midnights of UTC. */
export function getRetentionCutoff(now: number, retentionMs: number): RetentionCutoff {
  const immutableBefore = utcDayNumber(now - Math.max(retentionMs, SHORTEST_MS)) * DAY_MS
  return { immutableBefore, retentionWatermark: immutableBefore - MARGIN_MS }
}

/**
 * How many of the last readings that go have to stay, because what follows is computed from them. A register is interpolated from the
 * last. A delta stands for a time that the one before it may have told: then that one stays too, and so on, or it would grow.
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

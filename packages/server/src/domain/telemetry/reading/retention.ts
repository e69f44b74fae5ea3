import type { MetricSpec } from '../../estate/inventory/inventory.ts'
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
 * register is interpolated from the last one. The interval of the newest delta is as long as the step before it.
 * Readings of a gauge are valid for a day at most, which is less than the margin.
 */
export function boundaryReadingCount(kind: MetricSpec['kind'], timestamps: readonly number[]): number {
  return Math.min({ gauge: 0, register: 1, delta: 2 }[kind], timestamps.length)
}

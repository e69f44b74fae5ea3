import { firstAfter } from './delta.ts'
import type { Readings } from './packed-day.ts'
import type { Span } from './window-value.ts'

const QUARTER_MS = 15 * 60_000

/** What a gauge showed in a window: enough to pool several devices. */
export interface GaugeWindow {
  count: number
  sum: number
  min: number
  max: number
  /** The quarter hours, numbered from 1970, in which there was a reading. */
  quarters: Set<number>
}

export function readGauge({ timestamps, values }: Readings, span: Span): GaugeWindow {
  const window: GaugeWindow = {
    count: 0,
    sum: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    quarters: new Set(),
  }
  for (let index = firstAfter(timestamps, span.from); index < timestamps.length; index += 1) {
    const at = timestamps[index] ?? 0
    if (at >= span.to) break
    const value = values[index] ?? 0
    window.count += 1
    window.sum += value
    window.min = Math.min(window.min, value)
    window.max = Math.max(window.max, value)
    window.quarters.add(Math.floor(at / QUARTER_MS))
  }
  return window
}

export const quartersIn = (span: Span): number =>
  Math.max(1, Math.ceil(span.to / QUARTER_MS) - Math.floor(span.from / QUARTER_MS))

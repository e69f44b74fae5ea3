import type { Signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatNumber, formatQuantity, formatUnit, formatWindowShortly } from './format.ts'
import { describeQuality } from './quality.ts'
import type { ChartSeries } from './series.ts'
import type { Window } from './windows.ts'

export interface CursorPosition {
  index: number
  /** CSS pixels from the left edge of the plot. */
  left: number
  /** Width of the plot, with its axes. */
  width: number
}

interface Props {
  cursor: Signal<CursorPosition | null>
  series: ChartSeries
  windows: readonly Window[]
  previous: ChartSeries | undefined
}

/** Time, value and quality at the cursor. Assistive technology gets them from the live region. */
export function Readout({ cursor, series, windows, previous }: Props): VNode | null {
  const box = useRef<HTMLDivElement>(null)
  const position = cursor.value
  useLayoutEffect(() => {
    if (box.current && position) box.current.style.left = `${placeBox(position, box.current.offsetWidth)}px`
  }, [position])
  const window = position && windows[position.index]
  if (!window) return null
  const before = previous?.values[window.index]
  const quality = describeQuality(window)
  return (
    <div class="chart-readout" ref={box} aria-hidden>
      <div class="chart-readout-time">{formatWindowShortly(window, series.interval)}</div>
      {window.value !== null && (
        <div class="chart-readout-value">
          {formatNumber(window.value)} <span class="chart-readout-unit">{formatUnit(series.unit)}</span>
        </div>
      )}
      {quality && <div class="chart-readout-quality">{quality}</div>}
      {window.min !== null && window.max !== null && (
        <div class="chart-readout-more">
          {formatNumber(window.min)} to {formatQuantity(window.max, series.unit)}
        </div>
      )}
      {typeof before === 'number' && (
        <div class="chart-readout-more">Before: {formatQuantity(before, series.unit)}</div>
      )}
    </div>
  )
}

const DISTANCE_PX = 12

/** Beside the cursor, where there is more room, and never outside of the plot. */
function placeBox({ left, width }: CursorPosition, boxWidth: number): number {
  const wanted = left > width / 2 ? left - DISTANCE_PX - boxWidth : left + DISTANCE_PX
  return Math.max(0, Math.min(width - boxWidth, wanted))
}

/** Time, value and quality at the cursor, in one sentence. */
export function describeCursor(window: Window, series: ChartSeries): string {
  const value = window.value === null ? undefined : formatQuantity(window.value, series.unit)
  const parts = [value, describeQuality(window)].filter(Boolean)
  return `${formatWindowShortly(window, series.interval)}: ${parts.join(', ')}`
}

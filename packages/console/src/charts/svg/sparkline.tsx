import type { VNode } from 'preact'
import { getTone, type Tone } from '../frame.tsx'
import type { ChartSeries } from '../series.ts'
import { drawSparkline } from './sparkline-path.ts'

interface Props {
  series: Pick<ChartSeries, 'metricType' | 'aggregation' | 'values'>
  /**
   * Text alternative; without it, the picture is hidden from assistive technology, because the text beside it says the
   * same.
   */
  label?: string
  width?: number
  height?: number
  tone?: Tone
}

const EDGE = 3

/** A series as small as a word. It breaks where there is no data. */
export function Sparkline({ series, label, width = 112, height = 28, tone }: Props): VNode {
  const { line, dots, last } = drawSparkline(
    series.values,
    width - 2 * EDGE,
    height - 2 * EDGE,
    series.aggregation === 'sum',
  )
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': label }
  return (
    <svg
      class={`chart-sparkline chart-tone-${tone ?? getTone(series.metricType)}`}
      width={width}
      height={height}
      viewBox={`${-EDGE} ${-EDGE} ${width} ${height}`}
      {...named}
    >
      <path class="chart-sparkline-base" d={`M0 ${height - 2 * EDGE + 1.5}H${width - 2 * EDGE}`} />
      <path class="chart-sparkline-line" d={line} />
      {dots.map(([x, y]) => (
        <circle class="chart-sparkline-dot" key={x} cx={x} cy={y} r={1.25} />
      ))}
      {last && <circle class="chart-sparkline-dot" cx={last[0]} cy={last[1]} r={2.25} />}
    </svg>
  )
}

import { at } from '../../../kernel/at.ts'
import { type GaugeCell, NO_GAUGE, tidySum } from '../reading/cell.ts'
import { markQuarters, QUARTER_MS, quartersIn } from '../reading/gauge.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'

/** The cell of a span of a gauge, from its quarter hours. A quarter hour counts in the span in which it begins. */
export function sliceGauge(
  quarters: readonly { span: TimeSpan; cell: GaugeCell }[],
  span: TimeSpan,
): GaugeCell {
  const inside = quarters.filter(({ span: quarter, cell }) => cell.count > 0 && quarter.from >= span.from)
  if (inside.length === 0) return NO_GAUGE
  const first = Math.floor(span.from / QUARTER_MS)
  const seen = new Uint8Array(quartersIn(span))
  for (const { span: quarter, cell } of inside) markQuarters(seen, first, cell, quarter.from)
  const bits = new Uint8Array(Math.ceil(seen.length / 8))
  seen.forEach((isSeen, index) => {
    if (isSeen) bits[index >> 3] = at(bits, index >> 3) | (1 << (index & 7))
  })
  return {
    count: inside.reduce((count, { cell }) => count + cell.count, 0),
    sum: tidySum(inside.reduce((sum, { cell }) => sum + cell.sum, 0)),
    min: Math.min(...inside.map(({ cell }) => cell.min)),
    max: Math.max(...inside.map(({ cell }) => cell.max)),
    quarters: bits,
  }
}

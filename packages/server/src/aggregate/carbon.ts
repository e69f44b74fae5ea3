import { round4, round6, worst } from '../reading/window-value.ts'
import type { Point, Series } from './point.ts'
import { cutAtNow, type Meter, spansOf, sumMeters, summarizeSum } from './utility.ts'

const HALF_HOUR_MS = 30 * 60_000

/** Grams of CO2e for a kilowatt hour in the half hour that holds an instant. */
export type CarbonIntensity = (at: number) => number

/** Emissions: half-hourly kilowatt hours times half-hourly intensity. */
export function carbonSeries(
  meters: readonly Meter[],
  edges: readonly number[],
  intensity: CarbonIntensity,
  now: number,
): Series {
  const points = spansOf(edges).map((span): Point => {
    const whole = sumMeters(meters, span)
    if (whole.value === null) return { at: span.from, ...whole }
    let grams = 0
    let { quality } = whole
    for (let from = span.from; from < span.to; ) {
      const to = Math.min(span.to, (Math.floor(from / HALF_HOUR_MS) + 1) * HALF_HOUR_MS)
      const part = sumMeters(meters, { from, to })
      if (part.value !== null) {
        grams += part.value * intensity(from)
        if (part.quality === 'suspect') quality = worst(quality, 'suspect')
      }
      from = to
    }
    const point = { at: span.from, value: round6(grams / 1000), quality, coverage: round4(whole.coverage) }
    return cutAtNow(point, span, now)
  })
  return { points, summary: summarizeSum(points) }
}

import type { CarbonIntensity } from '../carbon/provider.ts'
import type { Zone } from '../lib/zone.ts'
import { windowEdges } from '../metric/window.ts'
import { round6 } from '../reading/window-value.ts'
import type { CellSource } from './cells.ts'
import type { Contributor } from './contribution.ts'
import type { Series } from './point.ts'
import { consumptionIn, cutAtNow, spansOf, summarizeSum } from './utility.ts'

/** Emissions: half-hourly kilowatt hours times half-hourly intensity. */
export async function carbonSeries(
  source: CellSource,
  zone: Zone,
  contributors: readonly Contributor[],
  edges: readonly number[],
  intensity: CarbonIntensity,
  now: number,
): Promise<Series> {
  const windows = spansOf(edges)
  const whole = await consumptionIn(source, contributors, windows)
  const halves = spansOf(halfHours(zone, edges))
  const uses = await consumptionIn(source, contributors, halves)
  let next = 0
  let isSynthetic = false
  const points = windows.map((window, index) => {
    let grams = 0
    for (; (halves[next]?.from ?? window.to) < window.to; next += 1) {
      const at = halves[next]?.from ?? 0
      const used = uses[next]?.value ?? 0
      grams += used * intensity.gramsAt(at)
      isSynthetic ||= used !== 0 && intensity.isSyntheticAt(at)
    }
    const use = whole[index] ?? { at: window.from, value: null, quality: 'missing', coverage: 0 }
    if (use.value === null) return use
    return cutAtNow({ ...use, value: round6(grams / 1000) }, window, now)
  })
  return { points, summary: summarizeSum(points), isSynthetic }
}

/** The windows' edges and those of every half hour between them. */
function halfHours(zone: Zone, edges: readonly number[]): number[] {
  const [from = 0, to = 0] = [edges[0], edges.at(-1)]
  const between = windowEdges(zone, 'PT30M', from, to).filter((edge) => edge > from && edge < to)
  return [...new Set([...edges, ...between])].toSorted((a, b) => a - b)
}

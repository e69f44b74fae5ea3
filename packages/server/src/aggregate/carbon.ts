import { round6 } from '../reading/window-value.ts'
import type { CellSource } from './cells.ts'
import type { Contributor } from './contribution.ts'
import type { EmissionGrid } from './emission-grid.ts'
import { emissionsIn } from './emissions.ts'
import { missingPoint, type Series } from './point.ts'
import { consumptionIn, cutAtNow, spansOf, summarizeSum } from './utility.ts'

/** Emissions: half-hourly kilowatt hours times half-hourly intensity. */
export async function carbonSeries(
  source: CellSource,
  contributors: readonly Contributor[],
  grid: EmissionGrid,
  now: number,
): Promise<Series> {
  const windows = spansOf(grid.edges)
  const whole = await consumptionIn(source, contributors, windows)
  const { grams, isSynthetic } = await emissionsIn(source, contributors, grid)
  const points = windows.map((window, index) => {
    const use = whole[index] ?? missingPoint(window.from)
    if (use.value === null) return use
    return cutAtNow({ ...use, value: round6((grams[index] ?? 0) / 1000) }, window, now)
  })
  return { points, summary: summarizeSum(points), isSynthetic }
}

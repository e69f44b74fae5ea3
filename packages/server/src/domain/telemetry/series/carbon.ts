import { round6 } from '../reading/window-value.ts'
import type { CellSource } from '../rollup/cells.ts'
import type { Contributor } from './contribution.ts'
import type { EmissionGrid } from './emission-grid.ts'
import { emissionsIn } from './emissions.ts'
import { capAtNow } from './columns.ts'
import type { Series } from './series.ts'
import { sumConsumption, summarizeSum } from './meter-series.ts'

/** Emissions: half-hourly kilowatt hours times half-hourly intensity. */
export async function carbonSeries(
  source: CellSource,
  contributors: readonly Contributor[],
  grid: EmissionGrid,
  now: number,
): Promise<Series> {
  const spans = [...grid.windows]
  const columns = await sumConsumption(source, contributors, spans)
  const { grams, isSynthetic } = await emissionsIn(source, contributors, grid)
  const { values } = columns
  for (const [index, inGrams] of grams.entries())
    if (!Number.isNaN(values[index])) values[index] = round6(inGrams / 1000)
  capAtNow(columns, spans, now)
  return { columns: { windows: grid.windows, ...columns }, summary: summarizeSum(values), isSynthetic }
}

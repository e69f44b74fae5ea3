import { SpacePerformance, SpaceUtilitiesPerformance } from '@portico/wire/v1/space'
import { toFigure, listUtilities } from '../metrics.ts'
import { thisMonth, toIsoMonth } from '../range.ts'
import { spaceRoute, type V1Call } from '../route.ts'
import { countsAsUse, METRICS } from '../../../domain/metric/catalogue.ts'
import type { Windows } from '../../../calendar/interval.ts'
import type { SpaceRecord } from '../../../domain/estate/inventory/inventory.ts'
import { toPoints } from '../../../domain/telemetry/series/columns.ts'
import type { Point } from '../../../domain/telemetry/series/point.ts'
import { estimateSpaceCost } from '../../../domain/telemetry/series/query-cost.ts'
import { toWindows } from '../../../calendar/window-edges.ts'

const SCORE = METRICS.performance.unit

const monthWindows = ({ model, now }: Pick<V1Call, 'model' | 'now'>): Windows =>
  toWindows(model.zone, 'P1M', now, now + 1)

export const spacePerformance = spaceRoute(
  {
    summary: 'Performance of a space this month',
    description:
      'The mean score of the completed days of the month. 50: like its peers, or on target; 100: nothing used.',
    response: SpacePerformance,
    successorQuery: thisMonth,
    estimateCost: estimateMonthScore,
  },
  async (call) => {
    const { month, point } = await monthScore(call)
    return { spaceId: call.space.legacyId, month, performance: toFigure(point, SCORE) }
  },
)

export const spaceUtilitiesPerformance = spaceRoute(
  {
    summary: 'Performance of a space this month, by utility',
    description:
      'For each utility, the mean score of the completed days of the month; null if there is none.',
    response: SpaceUtilitiesPerformance,
    successorQuery: thisMonth,
    estimateCost: estimateMonthScore,
  },
  async (call) => {
    const { model, space } = call
    const { month, point } = await monthScore(call)
    const current = model.listMetrics(space.spaceUuid)
    const findScore = (metric: string): number | null => point.components?.[metric] ?? null
    // A removed meter counts while it has a score.
    const scored = listUtilities(model, space, 'ever').filter(
      (metric) => countsAsUse(metric) && (current.includes(metric) || findScore(metric) !== null),
    )
    return {
      spaceId: space.legacyId,
      month,
      ...Object.fromEntries(scored.map((metric) => [metric, toFigure({ value: findScore(metric) }, SCORE)])),
    }
  },
)

function estimateMonthScore(call: V1Call & { space: SpaceRecord }): number {
  const { model, space, now } = call
  const windows = monthWindows(call)
  const range = { windows, ...windows.whole, until: now }
  return estimateSpaceCost({ model, space, metric: 'performance', scope: 'space', range })
}

/** The mean score of the current month so far. */
async function monthScore({
  model,
  space,
  now,
  services,
}: V1Call & { space: SpaceRecord }): Promise<{ month: string; point: Pick<Point, 'value' | 'components'> }> {
  const windows = monthWindows({ model, now })
  const { columns } = await services.aggregate.performance({ model, space, scope: 'space' }, 'P1M', windows)
  const [point = { value: null }] = toPoints(columns)
  return { month: toIsoMonth(model.zone, now), point }
}

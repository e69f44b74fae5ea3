import { SpaceUtilitiesPerformance } from '@portico/wire/v1/space'
import { countsAsUse } from '../../../domain/metric/catalogue.ts'
import { toFigure, listUtilities } from '../metrics.ts'
import { estimateMonthScore, monthScore, SCORE } from '../month-score.ts'
import { thisMonth } from '../range.ts'
import { spaceRoute } from '../route.ts'

export const spaceUtilitiesPerformance = spaceRoute(
  {
    summary: 'Performance of a space this month, by utility',
    description:
      'For each utility, the mean score of the completed days of the month; null if there is none.',
    answer: SpaceUtilitiesPerformance,
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

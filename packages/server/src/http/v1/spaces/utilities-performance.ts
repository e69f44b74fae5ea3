import { SpaceUtilitiesPerformance } from '@portico/wire/v1/space'
import { figure, utilitiesOf } from '../metrics.ts'
import { monthScore, SCORE } from '../month-score.ts'
import { thisMonth } from '../range.ts'
import { spaceRoute } from '../route.ts'

export const spaceUtilitiesPerformance = spaceRoute(
  {
    summary: 'How a space does this month, utility by utility',
    description: 'The mean score of the month’s closed days for each utility, null where there is none.',
    answer: SpaceUtilitiesPerformance,
    successorQuery: thisMonth,
  },
  async (call) => {
    const { model, space } = call
    const { month, point } = await monthScore(call)
    // Solar is generated, not used: it has no score.
    const scored = utilitiesOf(model, space).filter((metric) => metric !== 'solar')
    return {
      spaceId: space.legacyId,
      month,
      ...Object.fromEntries(
        scored.map((metric) => [metric, figure({ value: point.components?.[metric] ?? null }, SCORE)]),
      ),
    }
  },
)

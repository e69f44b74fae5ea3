import { SpacePerformance } from '@portico/wire/v1/space'
import { toFigure } from '../metrics.ts'
import { estimateMonthScore, monthScore, SCORE } from '../month-score.ts'
import { thisMonth } from '../range.ts'
import { spaceRoute } from '../route.ts'

export const spacePerformance = spaceRoute(
  {
    summary: 'Performance of a space this month',
    description:
      'The mean score of the completed days of the month. 50: like its peers, or on target; 100: nothing used.',
    answer: SpacePerformance,
    successorQuery: thisMonth,
    estimateCost: estimateMonthScore,
  },
  async (call) => {
    const { month, point } = await monthScore(call)
    return { spaceId: call.space.legacyId, month, performance: toFigure(point, SCORE) }
  },
)

import { SpaceRank } from '@portico/wire/v1/space'
import { estimateRankCost } from '../../../telemetry/series/query-cost.ts'
import { rankSpace } from '../../../telemetry/insight/rank.ts'
import { METRICS } from '../../../metric/catalogue.ts'
import { windowEdges } from '../../../metric/window.ts'
import { monthOf } from '../range.ts'
import { spaceRoute, type V1Call } from '../route.ts'

function runningMonth({ model, now }: Pick<V1Call, 'model' | 'now'>): { from: number; to: number } {
  const [from = now, to = now] = windowEdges(model.zone, 'P1M', now, now + 1)
  return { from, to }
}

export const spaceRank = spaceRoute(
  {
    summary: 'Where a space stands among its like this month',
    description:
      'What the space used this month against the site’s spaces of its type, over all utilities and for each. Null with fewer than five to compare: nobody is to be recognised.',
    answer: SpaceRank,
    estimateCost: (call) => estimateRankCost(call.model, call.space, runningMonth(call)),
  },
  async ({ model, space, now, services }) => {
    const span = runningMonth({ model, now })
    const { overall, utilities } = await rankSpace(services.aggregate, model, space, span)
    return {
      spaceId: space.legacyId,
      month: monthOf(model.zone, now),
      ...overall,
      ...Object.fromEntries(
        utilities.map(({ metricType, value, ...rank }) => [
          metricType,
          { ...rank, value, unit: METRICS[metricType].unit },
        ]),
      ),
    }
  },
)

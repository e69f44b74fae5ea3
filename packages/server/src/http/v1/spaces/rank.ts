import { SpaceRank } from '@portico/wire/v1/space'
import type { TimeSpan } from '../../../calendar/interval.ts'
import { estimateRankCost } from '../../../domain/telemetry/series/query-cost.ts'
import { rankSpace } from '../../../domain/telemetry/insight/rank.ts'
import { METRICS } from '../../../domain/metric/catalogue.ts'
import { toWindows } from '../../../calendar/window-edges.ts'
import { toIsoMonth } from '../range.ts'
import { spaceRoute, type V1Call } from '../route.ts'

const runningMonth = ({ model, now }: Pick<V1Call, 'model' | 'now'>): TimeSpan =>
  toWindows(model.zone, 'P1M', now, now + 1).span(0)

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
      month: toIsoMonth(model.zone, now),
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

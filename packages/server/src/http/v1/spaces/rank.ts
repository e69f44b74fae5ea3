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
    summary: 'Rank of a space among similar spaces this month',
    description:
      'Consumption of the space this month compared with the site’s spaces of the same type, for all utilities together and for each. Suspect days do not count. Null with fewer than five spaces to compare, so that individual residents cannot be identified.',
    response: SpaceRank,
    estimateCost: (call) => estimateRankCost(call.model, call.space, runningMonth(call)),
  },
  async ({ model, space, now, services }) => {
    const span = runningMonth({ model, now })
    const days = toWindows(model.zone, 'P1D', span.from, span.to)
    const { overall, utilities } = await rankSpace(services.aggregate, model, space, days)
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

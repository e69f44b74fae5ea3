import { RangeQuery } from '@portico/wire/v1/query'
import { SpaceCarbonEmissions } from '@portico/wire/v1/space'
import { toPoints } from '../../../domain/telemetry/series/columns.ts'
import { estimateSpaceCost } from '../../../domain/telemetry/series/query-cost.ts'
import { METRICS } from '../../../domain/metric/catalogue.ts'
import { toIsoDate, resolveV1Range } from '../range.ts'
import { spaceRoute } from '../route.ts'

export const spaceCarbonEmissions = spaceRoute(
  {
    summary: 'Daily carbon emissions of the consumption of a space',
    description:
      'Half-hourly electricity multiplied by half-hourly carbon intensity; gas, heating and cooling multiplied by a factor. Default: the last 30 days and today; at most 366 days.',
    query: RangeQuery,
    response: SpaceCarbonEmissions,
    estimateCost: (call) =>
      estimateSpaceCost({
        model: call.model,
        space: call.space,
        metric: 'carbon',
        scope: 'space',
        range: resolveV1Range(call, 'P1D'),
      }),
  },
  async (call) => {
    const { model, space, services } = call
    const {
      columns,
      summary,
      isSynthetic = false,
    } = await services.aggregate.spaces(model, [space], 'carbon', resolveV1Range(call, 'P1D').windows)
    return {
      spaceId: space.legacyId,
      unit: METRICS.carbon.unit,
      total: summary.total ?? null,
      data: toPoints(columns).map(({ at, value }) => ({ date: toIsoDate(model.zone, at), value })),
      isSynthetic,
    }
  },
)

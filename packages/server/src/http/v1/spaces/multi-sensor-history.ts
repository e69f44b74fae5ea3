import { RangeQuery } from '@portico/wire/v1/query'
import { SpaceMultiSensorHistory } from '@portico/wire/v1/space'
import { estimateSeriesCost } from '../../../domain/telemetry/series/query-cost.ts'
import { listEnvironmentMetrics, readWindows } from '../metrics.ts'
import { toIsoDate, resolveV1Range, sameDays } from '../range.ts'
import { spaceRoute } from '../route.ts'

export const spaceMultiSensorHistory = spaceRoute(
  {
    summary: 'Daily climate of a space',
    description:
      'Mean, minimum and maximum of each calendar day of the site. Default: the last 30 days and today; at most 366.',
    query: RangeQuery,
    answer: SpaceMultiSensorHistory,
    successorQuery: sameDays,
    when: 'ever',
    estimateCost: (call) =>
      estimateSeriesCost(
        listEnvironmentMetrics(call.model, call.space, 'ever').length,
        resolveV1Range(call, 'P1D'),
      ),
  },
  async (call) => {
    const { model, space } = call
    const windows = await readWindows(
      call,
      listEnvironmentMetrics(model, space, 'ever'),
      resolveV1Range(call, 'P1D').windows,
      ({ value, min = null, max = null }, unit) => ({ value, min, max, unit }),
    )
    return {
      spaceId: space.legacyId,
      data: windows.map(({ at, fields }) => ({ date: toIsoDate(model.zone, at), ...fields })),
    }
  },
)

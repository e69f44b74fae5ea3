import { RangeQuery } from '@portico/wire/v1/query'
import { SpaceUtilitiesMonthly } from '@portico/wire/v1/space'
import { estimateSeriesCost } from '../../../domain/telemetry/series/query-cost.ts'
import { toFigure, listUtilities, readWindows } from '../metrics.ts'
import { toIsoMonth, resolveV1Range, sameMonths } from '../range.ts'
import { spaceRoute } from '../route.ts'

export const spaceUtilitiesMonthly = spaceRoute(
  {
    summary: 'Monthly consumption of a space',
    description:
      'Calendar months of the site. Default: the last 12; at most 60. Months without data are null.',
    query: RangeQuery,
    answer: SpaceUtilitiesMonthly,
    successorQuery: sameMonths,
    when: 'ever',
    estimateCost: (call) =>
      estimateSeriesCost(listUtilities(call.model, call.space, 'ever').length, resolveV1Range(call, 'P1M')),
  },
  async (call) => {
    const { model, space } = call
    const windows = await readWindows(
      call,
      listUtilities(model, space, 'ever'),
      resolveV1Range(call, 'P1M').windows,
      toFigure,
    )
    return {
      spaceId: space.legacyId,
      data: windows.map(({ at, fields }) => ({ month: toIsoMonth(model.zone, at), ...fields })),
    }
  },
)

import { RangeQuery } from '@portico/wire/v1/query'
import { SpaceUtilitiesMonthly } from '@portico/wire/v1/space'
import { estimateSeriesCost } from '../../../telemetry/series/query-cost.ts'
import { figure, utilitiesOf, windowsOf } from '../metrics.ts'
import { monthOf, rangeOf, sameMonths } from '../range.ts'
import { spaceRoute } from '../route.ts'

export const spaceUtilitiesMonthly = spaceRoute(
  {
    summary: 'What a space used, month by month',
    description: 'Calendar months of the site, the last 12 by default; at most 60. No data is null.',
    query: RangeQuery,
    answer: SpaceUtilitiesMonthly,
    successorQuery: sameMonths,
    when: 'ever',
    estimateCost: (call) =>
      estimateSeriesCost(utilitiesOf(call.model, call.space, 'ever').length, rangeOf(call, 'P1M')),
  },
  async (call) => {
    const { model, space } = call
    const windows = await windowsOf(
      call,
      utilitiesOf(model, space, 'ever'),
      rangeOf(call, 'P1M').windows,
      figure,
    )
    return {
      spaceId: space.legacyId,
      data: windows.map(({ at, fields }) => ({ month: monthOf(model.zone, at), ...fields })),
    }
  },
)

import { RangeQuery } from '@portico/wire/v1/query'
import { SpaceUtilitiesHistory } from '@portico/wire/v1/space'
import { estimateSeriesCost } from '../../../domain/telemetry/series/query-cost.ts'
import { toFigure, listUtilities, readWindows } from '../metrics.ts'
import { toIsoDate, resolveV1Range, sameDays } from '../range.ts'
import { spaceRoute } from '../route.ts'

export const spaceUtilitiesHistory = spaceRoute(
  {
    summary: 'Daily consumption of a space',
    description:
      'Calendar days of the site. Default: the last 30 and today; at most 366. Days without data are null.',
    query: RangeQuery,
    answer: SpaceUtilitiesHistory,
    successorQuery: sameDays,
    when: 'ever',
    estimateCost: (call) =>
      estimateSeriesCost(listUtilities(call.model, call.space, 'ever').length, resolveV1Range(call, 'P1D')),
  },
  async (call) => {
    const { model, space } = call
    const windows = await readWindows(
      call,
      listUtilities(model, space, 'ever'),
      resolveV1Range(call, 'P1D').windows,
      toFigure,
    )
    return {
      spaceId: space.legacyId,
      data: windows.map(({ at, fields }) => ({ date: toIsoDate(model.zone, at), ...fields })),
    }
  },
)

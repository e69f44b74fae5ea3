import { SpaceMultiSensor, SpaceMultiSensorHistory } from '@portico/wire/v1/space'
import { RangeQuery } from '@portico/wire/v1/query'
import { listEnvironmentMetrics, toFigure, readWindows } from '../metrics.ts'
import { lastHours, toIsoDate, resolveV1Range, sameDays } from '../range.ts'
import { spaceRoute } from '../route.ts'
import { estimateSeriesCost } from '../../../domain/telemetry/series/query-cost.ts'

export const spaceMultiSensor = spaceRoute(
  {
    summary: 'Current climate of a space',
    description:
      'For each metric, the newest hour with data among the last 24 and the current one: the same value as in version 2, with the start of the hour. `timestamp` is the newest of these starts.',
    response: SpaceMultiSensor,
  },
  async (call) => {
    const { model, space } = call
    const metrics = listEnvironmentMetrics(model, space, 'now')
    const windows = await readWindows(call, metrics, lastHours(call), toFigure)
    const newest = metrics.map((metric) => {
      const window = windows.findLast(({ fields }) => fields[metric]?.value != null)
      const { value, unit } = (window ?? windows[0])?.fields[metric] ?? { value: null, unit: '' }
      return { metric, at: window?.at ?? null, value, unit }
    })
    const local = (at: number | null): string | null => (at === null ? null : model.zone.format(at))
    const times = newest.flatMap(({ at }) => at ?? [])
    return {
      spaceId: space.legacyId,
      timestamp: local(times.length === 0 ? null : Math.max(...times)),
      ...Object.fromEntries(
        newest.map(({ metric, at, value, unit }) => [metric, { value, unit, timestamp: local(at) }]),
      ),
    }
  },
)

export const spaceMultiSensorHistory = spaceRoute(
  {
    summary: 'Daily climate of a space',
    description:
      'Mean, minimum and maximum of each calendar day of the site. Default: the last 30 days and today; at most 366.',
    query: RangeQuery,
    response: SpaceMultiSensorHistory,
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

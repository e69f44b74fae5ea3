import { SpaceUtilities, SpaceUtilitiesHistory, SpaceUtilitiesMonthly } from '@portico/wire/v1/space'
import { RangeQuery } from '@portico/wire/v1/query'
import { toFigure, listUtilities, readWindows } from '../metrics.ts'
import { lastHours, toIsoDate, resolveV1Range, sameDays, toIsoMonth, sameMonths } from '../range.ts'
import { spaceRoute, type V1Call } from '../route.ts'
import type { SpaceRecord } from '../../../domain/estate/inventory/inventory.ts'
import { estimateSeriesCost } from '../../../domain/telemetry/series/query-cost.ts'

export const spaceUtilities = spaceRoute(
  {
    summary: 'Consumption of a space in the last full hour',
    description:
      'The newest full hour with data among the last 24, in the site’s local time: the same values as in version 2. `timestamp` is the start of the hour, null if there is none.',
    response: SpaceUtilities,
  },
  async (call) => {
    const { model, space, now } = call
    const full = lastHours(call).endingBy(now)
    const windows = await readWindows(call, listUtilities(model, space, 'now'), full, toFigure)
    const newest = windows.findLast(({ fields }) => Object.values(fields).some(({ value }) => value !== null))
    return {
      spaceId: space.legacyId,
      timestamp: newest ? model.zone.format(newest.at) : null,
      ...(newest ?? windows.at(-1))?.fields,
    }
  },
)

type SpaceCall = V1Call & { space: SpaceRecord }

const estimateHistory = (call: SpaceCall, interval: 'P1D' | 'P1M'): number =>
  estimateSeriesCost(listUtilities(call.model, call.space, 'ever').length, resolveV1Range(call, interval))

const readHistory = (call: SpaceCall, interval: 'P1D' | 'P1M') =>
  readWindows(
    call,
    listUtilities(call.model, call.space, 'ever'),
    resolveV1Range(call, interval).windows,
    toFigure,
  )

export const spaceUtilitiesHistory = spaceRoute(
  {
    summary: 'Daily consumption of a space',
    description:
      'Calendar days of the site. Default: the last 30 and today; at most 366. Days without data are null.',
    query: RangeQuery,
    response: SpaceUtilitiesHistory,
    successorQuery: sameDays,
    when: 'ever',
    estimateCost: (call) => estimateHistory(call, 'P1D'),
  },
  async (call) => {
    const { model, space } = call
    const windows = await readHistory(call, 'P1D')
    return {
      spaceId: space.legacyId,
      data: windows.map(({ at, fields }) => ({ date: toIsoDate(model.zone, at), ...fields })),
    }
  },
)

export const spaceUtilitiesMonthly = spaceRoute(
  {
    summary: 'Monthly consumption of a space',
    description:
      'Calendar months of the site. Default: the last 12; at most 60. Months without data are null.',
    query: RangeQuery,
    response: SpaceUtilitiesMonthly,
    successorQuery: sameMonths,
    when: 'ever',
    estimateCost: (call) => estimateHistory(call, 'P1M'),
  },
  async (call) => {
    const { model, space } = call
    const windows = await readHistory(call, 'P1M')
    return {
      spaceId: space.legacyId,
      data: windows.map(({ at, fields }) => ({ month: toIsoMonth(model.zone, at), ...fields })),
    }
  },
)

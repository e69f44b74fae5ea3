import type { RangeQuery } from '@portico/wire/v1/query'
import type { Windows } from '../../calendar/interval.ts'
import { type Range, resolveRange } from '../../domain/telemetry/series/range.ts'
import type { Zone } from '../../calendar/zone.ts'
import { parseTime } from '../../calendar/parse-time.ts'
import type { Interval } from '../../calendar/window-edges.ts'
import type { SuccessorQuery, V1Call } from './route.ts'

const NAMES = { from: 'from', to: 'to' }

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A calendar day of the zone, such as 2026-09-01. */
export const toIsoDate = (zone: Zone, at: number): string => zone.dateAt(at).toString()

/** A calendar month of the zone, such as 2026-09. */
export const toIsoMonth = (zone: Zone, at: number): string => toIsoDate(zone, at).slice(0, 7)

/** The instant just before the end of the range: the end is exclusive, and the future is cut off. */
function lastInstant({ to }: RangeQuery, zone: Zone, now: number): number {
  return (to === undefined ? now : Math.min(parseTime(to, NAMES.to, zone), now)) - 1
}

/** The last 30 days. The range begins at midnight, so that hourly windows cover whole days. */
const startOfDays = (query: RangeQuery, zone: Zone, now: number): string =>
  zone
    .dateAt(lastInstant(query, zone, now) + 1)
    .subtract({ days: 30 })
    .toString()

/** The last 12 months, including the current one. */
const startOfMonths = (query: RangeQuery, zone: Zone, now: number): string =>
  zone
    .dateAt(lastInstant(query, zone, now))
    .with({ day: 1 })
    .subtract({ months: 11 })
    .toString()

const getStartRule = (interval: Interval): typeof startOfDays =>
  interval === 'P1M' ? startOfMonths : startOfDays

/** The windows of a history response. */
export function resolveV1Range(
  { model, now, query }: Pick<V1Call, 'model' | 'now' | 'query'>,
  interval: Interval,
): Range {
  const from = query.from ?? getStartRule(interval)(query, model.zone, now)
  return resolveRange({ fromDateTime: from, toDateTime: query.to }, interval, model.zone, now, NAMES)
}

/** The default hourly range of version 2: the last 24 hours and the current one. */
export const lastHours = ({ model, now }: Pick<V1Call, 'model' | 'now'>): Windows =>
  resolveRange({ fromDateTime: undefined, toDateTime: undefined }, 'PT1H', model.zone, now).windows

const toV2 = ({ from, to }: RangeQuery): Record<string, string> => ({
  ...(from !== undefined && DATE.test(from) ? { fromDateTime: from } : {}),
  ...(to !== undefined && DATE.test(to) ? { toDateTime: to } : {}),
})

/** The equivalent daily range in version 2. */
export const sameDays: SuccessorQuery = ({ query }) => toV2(query)

/** The equivalent monthly range in version 2, which would default to the last 30 days. */
export const sameMonths: SuccessorQuery = ({ model, now, query }) => {
  const v2Query = toV2(query)
  const to = v2Query['toDateTime']
  const fromDateTime =
    v2Query['fromDateTime'] ?? startOfMonths(to === undefined ? {} : { to }, model.zone, now)
  return { interval: 'P1M', ...v2Query, fromDateTime }
}

/** The current month in version 2. */
export const thisMonth: SuccessorQuery = ({ model, now }) => ({
  interval: 'P1M',
  fromDateTime: `${toIsoMonth(model.zone, now)}-01`,
})

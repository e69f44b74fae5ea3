import { METRICS } from '../../../domain/metric/catalogue.ts'
import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { Uuid } from '@portico/wire/uuid'
import { MetricName } from '@portico/wire/v2/metric-type'
import { DAILY_SERIES_EXAMPLE, SpaceSeries } from '@portico/wire/v2/series'
import { Type } from 'typebox'
import { checkEmissionBound } from '../../../domain/telemetry/series/emission-bound.ts'
import { estimateSpaceCost } from '../../../domain/telemetry/series/query-cost.ts'
import { querySpace, compareSpace } from '../../../domain/telemetry/series/space-query.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { andThen, type MaybePromise } from '../../../kernel/maybe-promise.ts'
import { role } from '../../pipeline/gates.ts'
import { csvReply, jsonOrCsv, prefersCsv } from '../../pipeline/produces.ts'
import type { Reply } from '../../pipeline/reply.ts'
import { type Context, defineRoute, type RouteServices } from '../../pipeline/route.ts'
import { requireSpace } from '../path.ts'
import { calendarInterval, clockInterval, compareQuery, rangeQuery } from '../query.ts'
import { encodeSeriesBody, seriesReply, toSeriesCsv } from '../series-encoding/series-body.ts'
import { SITE_GATES } from '../surface.ts'
import { readCachedRange } from './cached-range.ts'
import { getSpaceSeries } from './cached-series.ts'

const GATES = [...SITE_GATES, role('Spaces.Read')] as const

const SpaceMetricParams = Type.Object({
  spaceuuid: about(Uuid, 'The spaceUuid of a space, from GET /spaces.', EXAMPLE.spaceUuid),
  metrictype: about(MetricName, 'The metric, from GET /metric-types.', 'electricity'),
})

const scopeQuery = {
  scope: Type.Optional(
    Type.Enum(['space', 'cluster'], {
      description: 'cluster: the total of the flat or other cluster of the space.',
    }),
  ),
  compareTo: compareQuery,
}

const HourlyQuery = Type.Object(
  {
    ...rangeQuery,
    interval: clockInterval,
    ...scopeQuery,
  },
  { additionalProperties: false },
)

const DailyQuery = Type.Object(
  {
    ...rangeQuery,
    interval: calendarInterval,
    ...scopeQuery,
  },
  { additionalProperties: false },
)

const common = {
  method: 'GET',
  description:
    'Windows follow the site’s local time. Every window of the range is present; without data its value is null, never 0. Send Accept: text/csv for CSV.',
  tags: ['Spaces'],
  gates: GATES,
  params: SpaceMetricParams,
  produces: jsonOrCsv('The series', SpaceSeries),
  errors: ['forbidden', 'not-found', 'rate-limited'],
} as const

export const getSpaceHourly = defineRoute({
  ...common,
  path: '/spaces/{spaceuuid}/aggregate/{metrictype}/hourly',
  operationId: 'getSpaceHourly',
  summary: 'Current data for a space, by hour, half hour or quarter hour',
  query: HourlyQuery,
  handle: (call, services: SeriesServices) => spaceSeries(call, services, 'hourly'),
})

export const getSpaceDaily = defineRoute({
  ...common,
  path: '/spaces/{spaceuuid}/aggregate/{metrictype}/daily',
  operationId: 'getSpaceDaily',
  summary: 'Historical data for a space, by day, week or month',
  produces: jsonOrCsv('The series', SpaceSeries, { example: DAILY_SERIES_EXAMPLE }),
  query: DailyQuery,
  handle: (call, services: SeriesServices) => spaceSeries(call, services, 'daily'),
})

type SeriesServices = Pick<RouteServices, 'clock' | 'queries' | 'aggregate' | 'seriesEncoder'>

type SpaceCall = Context<
  typeof GATES,
  typeof SpaceMetricParams,
  typeof HourlyQuery | typeof DailyQuery,
  undefined
>

function spaceSeries(
  call: SpaceCall,
  services: SeriesServices,
  granularity: 'hourly' | 'daily',
): MaybePromise<Reply | undefined> {
  const { site: model, query } = call
  const space = requireSpace(call)
  const metric = call.params.metrictype
  const interval = query.interval ?? (granularity === 'hourly' ? 'PT1H' : 'P1D')
  if (!METRICS[metric].granularities.includes(granularity))
    throw invalidField('metrictype', 'not-allowed', `${metric} is available by day only: use /daily`)
  const isPolled = call.headers['if-none-match'] !== undefined
  const range = readCachedRange(query, interval, model.zone, services.clock.now(), isPolled)
  const scope = query.scope ?? 'space'
  const question = { model, space, metric, interval, scope, range }
  const isCsv = prefersCsv(call)
  // CSV has no summary, so there is nothing to compare.
  const compareTo = isCsv ? undefined : query.compareTo
  checkEmissionBound(question, compareTo)
  return services.queries.run(call, estimateSpaceCost(question, compareTo), () => {
    const { aggregate, seriesEncoder } = services
    if (isCsv)
      return andThen(querySpace(aggregate, question, range.windows), ({ columns }) =>
        csvReply(toSeriesCsv(model.zone, columns)),
      )
    const { head, encode } = getSpaceSeries(seriesEncoder, {
      model,
      space,
      metric,
      granularity,
      interval,
      scope,
    })
    return andThen(encode(range.windows, isPolled), (series) => {
      if (!compareTo) return seriesReply(encodeSeriesBody(head, model.zone, range, series))
      return andThen(compareSpace(aggregate, question, compareTo, series.summary), (comparison) =>
        seriesReply(encodeSeriesBody(head, model.zone, range, series, comparison)),
      )
    })
  })
}

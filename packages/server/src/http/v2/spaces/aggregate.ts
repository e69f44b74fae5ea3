import { MetricName } from '@portico/wire/v2/metric-type'
import { SpaceSeries } from '@portico/wire/v2/series'
import { Uuid } from '@portico/wire/uuid'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { CompareTo } from '../../../telemetry/series/compare.ts'
import { checkEmissionBound } from '../../../telemetry/series/emission-bound.ts'
import { estimateSpaceCost } from '../../../telemetry/series/query-cost.ts'
import { readRange } from '../../../telemetry/series/range.ts'
import { askSpace, compareSpace } from '../../../telemetry/series/space-series.ts'
import { invalidField } from '../../../errors.ts'
import { CALENDAR_INTERVALS, CLOCK_INTERVALS, type Interval } from '../../../metric/window.ts'
import type { ExpensiveQueries } from '../../plugins/expensive-queries.ts'
import { siteOf } from '../../plugins/site-scope.ts'
import { responsesWithCsv } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { wantsCsv } from '../answer.ts'
import { metricOf, spaceOf } from '../path.ts'
import { sendSeries } from '../series-encoding/series-body.ts'
import { toSeriesCsv } from '../series-encoding/series-csv.ts'
import { compareQuery, rangeQuery } from '../series-query.ts'
import { encodeSpaceBody } from './space-body.ts'

interface Query {
  fromDateTime?: string
  toDateTime?: string
  interval?: Interval
  scope?: 'space' | 'cluster'
  compareTo?: CompareTo
}

const schemaFor = (granularity: 'hourly' | 'daily') => ({
  operationId: granularity === 'hourly' ? 'getSpaceHourly' : 'getSpaceDaily',
  summary:
    granularity === 'hourly'
      ? 'Current data for a space, by hour, half or quarter hour'
      : 'Historical data for a space, by day, week or month',
  description:
    'Windows follow the site’s wall clock. Every window of the range is present; no data is null, never 0. Accept text/csv for CSV.',
  tags: ['Spaces'],
  params: Type.Object({ spaceuuid: Uuid, metrictype: MetricName }),
  querystring: Type.Object(
    {
      ...rangeQuery,
      interval: Type.Optional(
        granularity === 'hourly' ? Type.Enum([...CLOCK_INTERVALS]) : Type.Enum([...CALENDAR_INTERVALS]),
      ),
      scope: Type.Optional(Type.Enum(['space', 'cluster'])),
      compareTo: compareQuery,
    },
    { additionalProperties: false },
  ),
  response: responsesWithCsv('The series', SpaceSeries, 'forbidden', 'not-found', 'rate-limited'),
})

export function spaceAggregate(app: FastifyInstance, services: Services, queries: ExpensiveQueries): void {
  for (const granularity of ['hourly', 'daily'] as const) {
    app.get<{ Querystring: Query }>(
      `/spaces/:spaceuuid/aggregate/:metrictype/${granularity}`,
      { schema: schemaFor(granularity) },
      async (request, reply) => {
        const model = siteOf(request)
        const space = spaceOf(request)
        const metric = metricOf(request)
        const { query } = request
        const interval = query.interval ?? (granularity === 'hourly' ? 'PT1H' : 'P1D')
        if (metric === 'performance' && granularity === 'hourly') {
          throw invalidField('metrictype', 'not-allowed', 'performance is by day: use /daily')
        }
        const range = readRange(
          { fromDateTime: query.fromDateTime, toDateTime: query.toDateTime },
          interval,
          model.zone,
          services.clock.now(),
        )
        const scope = query.scope ?? 'space'
        const question = { model, space, metric, interval, scope, range }
        const isCsv = wantsCsv(request, reply)
        // CSV has no summary, so there is nothing to compare.
        const compareTo = isCsv ? undefined : query.compareTo
        checkEmissionBound(question, compareTo)
        return queries.run(request, reply, estimateSpaceCost(question, compareTo), async () => {
          if (isCsv) {
            const { columns } = await askSpace(services.aggregate, question, range.edges)
            return toSeriesCsv(model.zone, columns)
          }
          const series = await services.seriesEncoder.space(question)(range.edges, false)
          const comparison =
            compareTo && (await compareSpace(services.aggregate, question, compareTo, series.summary))
          return sendSeries(reply, encodeSpaceBody({ ...question, granularity }, series, comparison))
        })
      },
    )
  }
}

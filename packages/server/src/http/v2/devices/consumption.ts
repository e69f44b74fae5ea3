import { Uuid } from '@portico/wire/uuid'
import { MetricName } from '@portico/wire/v2/metric-type'
import { type DeviceReadings, DeviceSeries, type DeviceWindows } from '@portico/wire/v2/series'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type CompareTo, compareWithPast, figureOf } from '../../../telemetry/series/compare.ts'
import { estimateDeviceCost } from '../../../telemetry/series/query-cost.ts'
import { readRange, readSpan } from '../../../telemetry/series/range.ts'
import { invalidField } from '../../../errors.ts'
import { isMeasured, METRICS } from '../../../metric/catalogue.ts'
import { CALENDAR_INTERVALS, CLOCK_INTERVALS, type Interval } from '../../../metric/window.ts'
import { SERIES_COLUMNS } from '../../csv.ts'
import { readPageQuery, toPage } from '../../page-query.ts'
import { callerOf } from '../../plugins/bearer-auth.ts'
import type { ExpensiveQueries } from '../../plugins/expensive-queries.ts'
import { siteOf } from '../../plugins/site-scope.ts'
import { responsesWithCsv } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { answer, wantsCsv } from '../answer.ts'
import { deviceOf, metricOf } from '../path.ts'
import { listQuery } from '../query.ts'
import { encodeSeriesBody, encodeSeriesHead, sendSeries } from '../series-encoding/series-body.ts'
import { toSeriesCsv } from '../series-encoding/series-csv.ts'
import { compareQuery, rangeQuery } from '../series-query.ts'

const MAX_READINGS = 1000

interface Query {
  fromDateTime?: string
  toDateTime?: string
  interval?: Interval | 'raw'
  compareTo?: CompareTo
  limit?: string
  cursor?: string
}

const schema = {
  operationId: 'getDeviceConsumption',
  summary: 'Device-level consumption data for one metric type',
  description: 'Windows, or the readings themselves with interval=raw (in pages). Accept text/csv for CSV.',
  tags: ['Devices'],
  params: Type.Object({ deviceuuid: Uuid, metrictype: MetricName }),
  querystring: listQuery({
    ...rangeQuery,
    interval: Type.Optional(Type.Enum(['raw', ...CLOCK_INTERVALS, ...CALENDAR_INTERVALS])),
    compareTo: compareQuery,
  }),
  response: responsesWithCsv('The series', DeviceSeries, 'forbidden', 'not-found', 'rate-limited'),
}

export function deviceConsumption(app: FastifyInstance, services: Services, queries: ExpensiveQueries): void {
  app.get<{ Querystring: Query }>(
    '/devices/:deviceuuid/consumption/:metrictype',
    { schema },
    async (request, reply) =>
      request.query.interval === 'raw'
        ? sendReadings(request, reply, services, request.query)
        : sendWindows(request, reply, services, queries, request.query, request.query.interval ?? 'PT1H'),
  )
}

async function sendWindows(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  queries: ExpensiveQueries,
  query: Query,
  interval: Interval,
): Promise<object | string | undefined> {
  const model = siteOf(request)
  const device = deviceOf(request)
  const metric = metricOf(request)
  if (query.limit !== undefined || query.cursor !== undefined) {
    throw invalidField(
      query.limit === undefined ? 'cursor' : 'limit',
      'not-allowed',
      'is for interval=raw only',
    )
  }
  const range = readRange(
    { fromDateTime: query.fromDateTime, toDateTime: query.toDateTime },
    interval,
    model.zone,
    services.clock.now(),
  )
  if (query.compareTo === 'siteAverage' || query.compareTo === 'target') {
    throw invalidField('compareTo', 'not-allowed', 'must be previousPeriod or previousYear for a device')
  }
  const isCsv = wantsCsv(request, reply)
  // CSV has no summary, so there is nothing to compare.
  const compareTo = isCsv ? undefined : query.compareTo
  const head = encodeSeriesHead({
    deviceUuid: device.record.deviceUuid,
    metricType: metric,
    unit: METRICS[metric].unit,
    aggregation: METRICS[metric].aggregation,
    granularity: interval.startsWith('PT') ? 'hourly' : 'daily',
    interval,
    timeZone: model.site.timeZone,
  } satisfies Partial<DeviceWindows>)
  return queries.run(request, reply, estimateDeviceCost(metric, range, compareTo), async () => {
    if (isCsv) {
      const { columns } = await services.aggregate.device(model, device, metric, range.edges)
      return toSeriesCsv(model.zone, columns)
    }
    const series = await services.seriesEncoder.device(model, device, metric, interval)(range.edges, false)
    const comparison =
      compareTo &&
      (await compareWithPast(compareTo, model, range, figureOf(series.summary), async (from, to) =>
        figureOf((await services.aggregate.device(model, device, metric, [from, to])).summary),
      ))
    return sendSeries(reply, encodeSeriesBody(head, model.zone, range, series, comparison))
  })
}

async function sendReadings(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  query: Query,
): Promise<object | string> {
  const model = siteOf(request)
  const device = deviceOf(request)
  const metric = metricOf(request)
  if (query.compareTo !== undefined) {
    throw invalidField('compareTo', 'not-allowed', 'is not for interval=raw')
  }
  const { fromDateTime = '', toDateTime = '' } = query
  const scope = `readings ${callerOf(request).partnerUuid} ${device.record.deviceUuid} ${metric} ${fromDateTime} ${toDateTime}`
  const { limit, position } = readPageQuery(
    {
      limit: query.limit ?? String(MAX_READINGS),
      ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    },
    services,
    scope,
  )
  // A cursor carries the range it began with: pages of a range without an end must not move with the clock.
  const [from, to, at] = position === undefined ? [] : position.split(' ').map(Number)
  const asked =
    from === undefined || to === undefined
      ? readSpan(
          { fromDateTime: query.fromDateTime, toDateTime: query.toDateTime },
          'raw',
          model.zone,
          services.clock.now(),
        )
      : { from, to }
  const seriesId = isMeasured(metric) ? device.series[metric] : undefined
  const readings =
    seriesId === undefined
      ? { timestamps: [], values: [] }
      : await services.readings.within(model.site.siteUuid, seriesId, {
          from: at ?? asked.from,
          to: asked.to,
        })
  const items = readings.timestamps
    .slice(0, limit + 1)
    .map((time, index) => ({ time, value: readings.values[index] ?? 0 }))
  const page = toPage(
    items,
    limit,
    ({ time, value }) => ({ timestamp: model.zone.format(time), value }),
    ({ time }) => services.cursors.encode(scope, `${asked.from} ${asked.to} ${time + 1}`),
  )
  const body: DeviceReadings = {
    deviceUuid: device.record.deviceUuid,
    metricType: metric,
    unit: METRICS[metric].unit,
    aggregation: METRICS[metric].aggregation,
    granularity: 'raw',
    interval: 'raw',
    timeZone: model.site.timeZone,
    fromDateTime: model.zone.format(asked.from),
    toDateTime: model.zone.format(asked.to),
    hasData: page.data.length > 0,
    timeSeries: page.data,
    pagination: page.pagination,
  }
  return answer(request, reply, body, SERIES_COLUMNS, page.data)
}

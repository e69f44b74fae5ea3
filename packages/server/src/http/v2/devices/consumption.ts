import { Uuid } from '@portico/wire/uuid'
import { MetricName } from '@portico/wire/v2/metric-type'
import { type DeviceReadings, DeviceSeries, type DeviceWindows } from '@portico/wire/v2/series'
import { Type } from 'typebox'
import { Windows } from '../../../calendar/interval.ts'
import { numberAt } from '../../../kernel/at.ts'
import { compareWithPast, getTotal } from '../../../domain/telemetry/series/compare.ts'
import { estimateDeviceCost } from '../../../domain/telemetry/series/query-cost.ts'
import { resolveRange, resolveSpan } from '../../../domain/telemetry/series/range.ts'
import { invalidField } from '../../../kernel/errors.ts'
import type { MaybePromise } from '../../../kernel/maybe-promise.ts'
import { isMeasured, METRICS } from '../../../domain/metric/catalogue.ts'
import { CALENDAR_INTERVALS, CLOCK_INTERVALS, type Interval } from '../../../calendar/window-edges.ts'
import { SERIES_COLUMNS } from '../../pipeline/csv.ts'
import { readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { role } from '../../pipeline/gates.ts'
import { csvReply, jsonOrCsv, jsonOrCsvReply, prefersCsv } from '../../pipeline/produces.ts'
import type { Reply } from '../../pipeline/reply.ts'
import { type Context, defineRoute, type RouteServices } from '../../pipeline/route.ts'
import { requireDevice } from '../path.ts'
import { listQuery, compareQuery, rangeQuery } from '../query.ts'
import {
  encodeSeriesBody,
  encodeSeriesHead,
  seriesReply,
  toSeriesCsv,
} from '../series-encoding/series-body.ts'
import { SITE_GATES } from '../surface.ts'

const MAX_READINGS = 1000

const GATES = [...SITE_GATES, role('Devices.Read')] as const

const DeviceMetricParams = Type.Object({ deviceuuid: Uuid, metrictype: MetricName })

const ConsumptionQuery = listQuery({
  ...rangeQuery,
  interval: Type.Optional(Type.Enum(['raw', ...CLOCK_INTERVALS, ...CALENDAR_INTERVALS])),
  compareTo: compareQuery,
})

export const getDeviceConsumption = defineRoute({
  method: 'GET',
  path: '/devices/{deviceuuid}/consumption/{metrictype}',
  operationId: 'getDeviceConsumption',
  summary: 'Device-level consumption data for one metric type',
  description:
    'Windows, or with interval=raw the readings themselves, in pages. Send Accept: text/csv for CSV.',
  tags: ['Devices'],
  gates: GATES,
  params: DeviceMetricParams,
  query: ConsumptionQuery,
  produces: jsonOrCsv('The series', DeviceSeries),
  errors: ['forbidden', 'not-found', 'rate-limited'],
  handle: (call, services: ConsumptionServices) =>
    call.query.interval === 'raw'
      ? readings(call, services)
      : windows(call, services, call.query.interval ?? 'PT1H'),
})

type ConsumptionServices = Pick<
  RouteServices,
  'clock' | 'queries' | 'aggregate' | 'seriesEncoder' | 'readings' | 'cursors'
>

type DeviceCall = Context<typeof GATES, typeof DeviceMetricParams, typeof ConsumptionQuery, undefined>

function windows(
  call: DeviceCall,
  services: ConsumptionServices,
  interval: Interval,
): MaybePromise<Reply | undefined> {
  const { site: model, query } = call
  const device = requireDevice(call)
  const metric = call.params.metrictype
  if (query.limit !== undefined || query.cursor !== undefined) {
    throw invalidField(
      query.limit === undefined ? 'cursor' : 'limit',
      'not-allowed',
      'is allowed with interval=raw only',
    )
  }
  const range = resolveRange(
    { fromDateTime: query.fromDateTime, toDateTime: query.toDateTime },
    interval,
    model.zone,
    services.clock.now(),
  )
  if (query.compareTo === 'siteAverage' || query.compareTo === 'target') {
    throw invalidField('compareTo', 'not-allowed', 'must be previousPeriod or previousYear for a device')
  }
  const isCsv = prefersCsv(call)
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
  return services.queries.run(call, estimateDeviceCost(metric, range, compareTo), async () => {
    if (isCsv) {
      const { columns } = await services.aggregate.device(model, device, metric, range.windows)
      return csvReply(toSeriesCsv(model.zone, columns))
    }
    const series = await services.seriesEncoder.device(model, device, metric, interval)(range.windows, false)
    const comparison =
      compareTo &&
      (await compareWithPast(compareTo, model, range, getTotal(series.summary), async (from, to) =>
        getTotal((await services.aggregate.device(model, device, metric, new Windows([from, to]))).summary),
      ))
    return seriesReply(encodeSeriesBody(head, model.zone, range, series, comparison))
  })
}

async function readings(call: DeviceCall, services: ConsumptionServices): Promise<Reply> {
  const { site: model, query } = call
  const device = requireDevice(call)
  const metric = call.params.metrictype
  if (query.compareTo !== undefined) {
    throw invalidField('compareTo', 'not-allowed', 'is not allowed with interval=raw')
  }
  const { fromDateTime = '', toDateTime = '' } = query
  const scope = `readings ${call.caller.partnerUuid} ${device.record.deviceUuid} ${metric} ${fromDateTime} ${toDateTime}`
  const { limit, position } = readPageQuery(
    {
      limit: query.limit ?? String(MAX_READINGS),
      ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    },
    services,
    scope,
  )
  // The cursor contains the resolved range: an open-ended range must not move with the clock from page to page.
  const [from, to, at] = position === undefined ? [] : position.split(' ').map(Number)
  const requested =
    from === undefined || to === undefined
      ? resolveSpan(
          { fromDateTime: query.fromDateTime, toDateTime: query.toDateTime },
          'raw',
          model.zone,
          services.clock.now(),
        )
      : { from, to }
  const seriesId = isMeasured(metric) ? device.series[metric] : undefined
  const found =
    seriesId === undefined
      ? { timestamps: [], values: [] }
      : await services.readings.within(model.site.siteUuid, seriesId, {
          from: at ?? requested.from,
          to: requested.to,
        })
  const items = found.timestamps
    .slice(0, limit + 1)
    .map((time, index) => ({ time, value: numberAt(found.values, index) }))
  const page = toPage(
    items,
    limit,
    ({ time, value }) => ({ timestamp: model.zone.format(time), value }),
    ({ time }) => services.cursors.encode(scope, `${requested.from} ${requested.to} ${time + 1}`),
  )
  const body: DeviceReadings = {
    deviceUuid: device.record.deviceUuid,
    metricType: metric,
    unit: METRICS[metric].unit,
    aggregation: METRICS[metric].aggregation,
    granularity: 'raw',
    interval: 'raw',
    timeZone: model.site.timeZone,
    fromDateTime: model.zone.format(requested.from),
    toDateTime: model.zone.format(requested.to),
    hasData: page.data.length > 0,
    timeSeries: page.data,
    pagination: page.pagination,
  }
  return jsonOrCsvReply(call, body, SERIES_COLUMNS, page.data)
}

import { DeviceSeries, type DeviceWindows } from '@portico/wire/v2/series'
import type { Device } from '../../../domain/estate/inventory/site-model.ts'
import { compareWithPast } from '../../../domain/telemetry/series/compare.ts'
import { pairWithPast } from '../../../domain/telemetry/series/comparison-steps.ts'
import { estimateDeviceCost } from '../../../domain/telemetry/series/query-cost.ts'
import { resolveRange } from '../../../domain/telemetry/series/range.ts'
import { AppError, invalidField } from '../../../kernel/errors.ts'
import type { MaybePromise } from '../../../kernel/maybe-promise.ts'
import { METRIC_NAMES, METRICS, type MetricName } from '../../../domain/metric/catalogue.ts'
import type { Interval } from '../../../calendar/window-edges.ts'
import { csvReply, jsonOrCsv, prefersCsv } from '../../pipeline/produces.ts'
import type { Reply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { requireDevice } from '../path.ts'
import {
  encodeSeriesBody,
  encodeSeriesHead,
  seriesReply,
  toSeriesCsv,
} from '../series-encoding/series-body.ts'
import {
  type ConsumptionCall,
  ConsumptionQuery,
  type ConsumptionServices,
  DeviceMetricParams,
  GATES,
} from './consumption-call.ts'
import { measures } from './measures.ts'
import { readingsReply } from './readings.ts'

export const getDeviceConsumption = defineRoute({
  method: 'GET',
  path: '/devices/{deviceuuid}/consumption/{metrictype}',
  operationId: 'getDeviceConsumption',
  summary: 'Device-level consumption data for one metric type',
  description:
    'Windows, or with interval=raw the readings themselves: as JSON in pages, as CSV the whole range unless limit is given. Send Accept: text/csv for CSV.',
  tags: ['Devices'],
  gates: GATES,
  params: DeviceMetricParams,
  query: ConsumptionQuery,
  produces: jsonOrCsv('The series', DeviceSeries),
  errors: ['forbidden', 'not-found', 'not-measured', 'rate-limited'],
  handle(call, services: ConsumptionServices) {
    const device = requireDevice(call)
    requireMeasured(device, call.params.metrictype)
    return call.query.interval === 'raw'
      ? readingsReply(call, services, device)
      : windows(call, services, device, call.query.interval ?? 'PT1H')
  },
})

function requireMeasured(device: Device, metric: MetricName): void {
  const measured = METRIC_NAMES.filter((name) => measures(device, name))
  if (measured.includes(metric)) return
  const list = measured.length === 0 ? 'nothing' : measured.join(', ')
  throw new AppError('not-measured', `This device does not measure ${metric}; it measures ${list}.`)
}

function windows(
  call: ConsumptionCall,
  services: ConsumptionServices,
  device: Device,
  interval: Interval,
): MaybePromise<Reply | undefined> {
  const { site: model, query } = call
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
  return services.queries.run(call, estimateDeviceCost(device, metric, range, compareTo), async () => {
    if (isCsv) {
      const { columns } = await services.aggregate.device(model, device, metric, range.windows)
      return csvReply(toSeriesCsv(model.zone, columns))
    }
    const series = await services.seriesEncoder.device(model, device, metric, interval)(range.windows, false)
    const comparison =
      compareTo &&
      (await compareWithPast(pairWithPast(compareTo, model.zone, interval, range), series.summary, (past) =>
        services.aggregate.device(model, device, metric, past),
      ))
    return seriesReply(encodeSeriesBody(head, model.zone, range, series, comparison))
  })
}

import { deviceList, DeviceSeriesBatch, metricList } from '@portico/wire/v2/batch'
import type { Device } from '../../../domain/estate/inventory/site-model.ts'
import { getSources, type Granularity, METRIC_NAMES, METRICS } from '../../../domain/metric/catalogue.ts'
import { deviceContributorLookup } from '../../../domain/telemetry/series/find-contributors.ts'
import { estimateDeviceWork } from '../../../domain/telemetry/series/query-cost.ts'
import { role } from '../../pipeline/gates.ts'
import { jsonCsvOrNdjson } from '../../pipeline/produces.ts'
import type { Reply } from '../../pipeline/reply.ts'
import { type Context, defineRoute } from '../../pipeline/route.ts'
import { measures } from '../devices/consumption.ts'
import {
  calendarInterval,
  clockInterval,
  deviceTypeFilter,
  filters,
  listQuery,
  matchesFilter,
  rangeQuery,
} from '../query.ts'
import { SITE_GATES } from '../surface.ts'
import { readBatchPage } from './batch-page.ts'
import { parseMetrics, parseUuids, requireNamed } from './batch-parameters.ts'
import { BATCH_ROUTE, batchReply, type BatchServices } from './batch-reply.ts'

const GATES = [...SITE_GATES, role('Devices.Read')] as const

/** A score is of a space, never of a device. */
const DEVICE_METRICS = METRIC_NAMES.filter((metric) => METRICS[metric].derive !== 'score')

const batchQuery = {
  metricTypes: metricList,
  deviceUuids: deviceList,
  deviceType: deviceTypeFilter,
  spaceUuid: filters.spaceUuid,
  buildingUuid: filters.buildingUuid,
  clusterUuid: filters.clusterUuid,
  ...rangeQuery,
}

const HourlyQuery = listQuery({ ...batchQuery, interval: clockInterval })

const DailyQuery = listQuery({ ...batchQuery, interval: calendarInterval })

const common = {
  ...BATCH_ROUTE,
  gates: GATES,
  produces: jsonCsvOrNdjson('The series', DeviceSeriesBatch),
} as const

export const listDevicesHourly = defineRoute({
  ...common,
  path: '/consumption/hourly',
  operationId: 'listDevicesHourly',
  summary: 'Device-level data of many devices, by hour, half hour or quarter hour',
  query: HourlyQuery,
  handle: (call, services: BatchServices) => deviceBatch(call, services, 'hourly'),
})

export const listDevicesDaily = defineRoute({
  ...common,
  path: '/consumption/daily',
  operationId: 'listDevicesDaily',
  summary: 'Device-level data of many devices, by day, week or month',
  query: DailyQuery,
  handle: (call, services: BatchServices) => deviceBatch(call, services, 'daily'),
})

type DeviceBatchCall = Context<typeof GATES, undefined, typeof HourlyQuery | typeof DailyQuery, undefined>

function deviceBatch(
  call: DeviceBatchCall,
  services: BatchServices,
  granularity: Granularity,
): Promise<Reply | undefined> {
  const { site: model, query } = call
  const metrics = parseMetrics(query.metricTypes, granularity, DEVICE_METRICS)
  const interval = query.interval ?? (granularity === 'hourly' ? 'PT1H' : 'P1D')
  const uuids = parseUuids('deviceUuids', query.deviceUuids)
  const named = uuids && requireNamed('deviceUuids', uuids, model.devices, 'device')
  const devices = selectDevices(named ?? [...model.devices.values()], query)
  const { range, take } = readBatchPage(call, services, `consumption ${granularity}`, interval)
  const page = take([...devices.keys()], metrics, (id) => {
    const device = devices.get(id)
    return metrics.flatMap((metric) =>
      device && (named || measures(device, metric))
        ? [
            {
              id,
              metric,
              find: deviceContributorLookup(device, getSources(metric)[0] ?? metric),
              work: estimateDeviceWork(device, metric, range),
              createEncode: (encoder = services.seriesEncoder) =>
                encoder.device(model, device, metric, interval),
            },
          ]
        : [],
    )
  })
  const head = { granularity, interval, timeZone: model.site.timeZone }
  return batchReply(call, services, page, { ...head, idName: 'deviceUuid' })
}

const selectDevices = (
  devices: readonly Device[],
  { deviceType, spaceUuid, buildingUuid, clusterUuid }: DeviceBatchCall['query'],
): ReadonlyMap<string, Device> =>
  new Map(
    devices
      .filter(
        ({ record, space }) =>
          (deviceType === undefined || record.deviceType === deviceType) &&
          matchesFilter(spaceUuid, space.spaceUuid) &&
          matchesFilter(buildingUuid, space.buildingUuid) &&
          matchesFilter(clusterUuid, space.clusterUuid),
      )
      .map((device) => [device.record.deviceUuid, device]),
  )

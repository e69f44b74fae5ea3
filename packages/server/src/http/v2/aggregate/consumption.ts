import { DAILY_DEVICES_EXAMPLE, deviceList, DeviceSeriesBatch, metricList } from '@portico/wire/v2/batch'
import { type Granularity, METRIC_NAMES, METRICS } from '../../../domain/metric/catalogue.ts'
import { role } from '../../pipeline/gates.ts'
import { jsonCsvOrNdjson } from '../../pipeline/produces.ts'
import type { Reply } from '../../pipeline/reply.ts'
import { type Context, defineRoute } from '../../pipeline/route.ts'
import {
  calendarInterval,
  clockInterval,
  deviceTypeFilter,
  filters,
  listQuery,
  rangeQuery,
} from '../query.ts'
import { SITE_GATES } from '../surface.ts'
import { namedNotFound, parseMetrics } from './batch-parameters.ts'
import { BATCH_ROUTE, batchReply, type BatchServices } from './batch-reply.ts'

const GATES = [...SITE_GATES, role('Devices.Read')] as const

/** A score is of a space, never of a device. */
const DEVICE_METRICS = METRIC_NAMES.filter((metric) => METRICS[metric].derive !== 'score')

const batchQuery = {
  metricTypes: metricList('electricity'),
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
  exampleErrors: [namedNotFound('deviceUuids', [0], 'device')],
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
  produces: jsonCsvOrNdjson('The series', DeviceSeriesBatch, { example: DAILY_DEVICES_EXAMPLE }),
  query: DailyQuery,
  handle: (call, services: BatchServices) => deviceBatch(call, services, 'daily'),
})

type DeviceBatchCall = Context<typeof GATES, undefined, typeof HourlyQuery | typeof DailyQuery, undefined>

function deviceBatch(
  call: DeviceBatchCall,
  services: BatchServices,
  granularity: Granularity,
): Promise<Reply | undefined> {
  const { query } = call
  const { deviceUuids, deviceType, spaceUuid, buildingUuid, clusterUuid } = query
  const metrics = parseMetrics(query.metricTypes, granularity, DEVICE_METRICS)
  return batchReply(call, services, `consumption ${granularity}`, metrics, {
    request: { of: 'devices', filters: { deviceUuids, deviceType, spaceUuid, buildingUuid, clusterUuid } },
    granularity,
    interval: query.interval ?? (granularity === 'hourly' ? 'PT1H' : 'P1D'),
    idName: 'deviceUuid',
  })
}

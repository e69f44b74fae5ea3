import { DeviceType } from '@portico/wire/operator/inventory'
import { Page } from '@portico/wire/page'
import { Device as WireDevice, DeviceStatus } from '@portico/wire/v2/device'
import { MetricName } from '@portico/wire/v2/metric-type'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { stateOf } from '../../../device/status.ts'
import type { ExpensiveQueries } from '../../plugins/expensive-queries.ts'
import { siteOf } from '../../plugins/site-scope.ts'
import { responsesWithCsv } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { heardOf } from '../../../device/heard.ts'
import { listCost, sendList } from '../list-page.ts'
import { isWanted, listQuery, uuidFilter } from '../query.ts'
import { DEVICE_COLUMNS, toWireDevice } from './convert.ts'

const schema = {
  operationId: 'listDevices',
  summary: 'List all devices with metadata',
  description: 'The whole list without limit; pages with it. Accept text/csv for CSV.',
  tags: ['Devices'],
  querystring: listQuery({
    buildingUuid: uuidFilter,
    spaceUuid: uuidFilter,
    clusterUuid: uuidFilter,
    deviceType: Type.Optional(DeviceType),
    metricType: Type.Optional(MetricName),
    status: Type.Optional(DeviceStatus),
  }),
  response: responsesWithCsv('The devices, by name', Page(WireDevice), 'forbidden', 'rate-limited'),
}

type Filters = Partial<
  Record<'buildingUuid' | 'spaceUuid' | 'clusterUuid' | 'deviceType' | 'metricType' | 'status', string>
>

export function listDevices(app: FastifyInstance, services: Services, queries: ExpensiveQueries): void {
  app.get<{ Querystring: Filters }>('/devices', { schema }, async (request, reply) => {
    const model = siteOf(request)
    const now = services.clock.now()
    const { buildingUuid, spaceUuid, clusterUuid, deviceType, metricType, status } = request.query
    return queries.run(request, reply, listCost(request, model.devices.size), async () => {
      const heard = await heardOf(services, model)
      const items = [...model.devices.values()].filter(
        (device) =>
          isWanted(buildingUuid, device.space.buildingUuid) &&
          isWanted(spaceUuid, device.space.spaceUuid) &&
          isWanted(clusterUuid, device.space.clusterUuid) &&
          (deviceType === undefined || device.record.deviceType === deviceType) &&
          (metricType === undefined || Object.hasOwn(device.record.metrics, metricType)) &&
          (status === undefined || stateOf(device, heard, now).status === status),
      )
      return sendList(request, reply, services, {
        name: 'devices',
        items,
        keyOf: ({ record }) => [record.deviceName, record.deviceUuid],
        toWire: (device) => toWireDevice(model, device, heard, now),
        columns: DEVICE_COLUMNS,
      })
    })
  })
}

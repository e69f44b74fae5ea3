import { DeviceType } from '@portico/wire/operator/inventory'
import { Page } from '@portico/wire/page'
import { Device as WireDevice, DeviceStatus } from '@portico/wire/v2/device'
import { MetricName } from '@portico/wire/v2/metric-type'
import { Type } from 'typebox'
import { loadSignals } from '../../../domain/telemetry/device-status/signals.ts'
import { deriveDeviceState } from '../../../domain/telemetry/device-status/status.ts'
import { role } from '../../pipeline/gates.ts'
import { jsonOrCsv } from '../../pipeline/produces.ts'
import { defineRoute, type RouteServices } from '../../pipeline/route.ts'
import { listCost, listReply } from '../paginate.ts'
import { matchesFilter, listQuery, uuidFilter } from '../query.ts'
import { SITE_GATES } from '../surface.ts'
import { DEVICE_COLUMNS, toWireDevice } from './convert.ts'

export const listDevices = defineRoute({
  method: 'GET',
  path: '/devices',
  operationId: 'listDevices',
  summary: 'List all devices with metadata',
  description: 'The whole list without limit, pages with it. Send Accept: text/csv for CSV.',
  tags: ['Devices'],
  gates: [...SITE_GATES, role('Devices.Read')],
  query: listQuery({
    buildingUuid: uuidFilter,
    spaceUuid: uuidFilter,
    clusterUuid: uuidFilter,
    deviceType: Type.Optional(DeviceType),
    metricType: Type.Optional(MetricName),
    status: Type.Optional(DeviceStatus),
  }),
  produces: jsonOrCsv('The devices, by name', Page(WireDevice)),
  errors: ['forbidden', 'rate-limited'],
  handle(
    call,
    services: Pick<RouteServices, 'clock' | 'queries' | 'readings' | 'presences' | 'cursors' | 'addresses'>,
  ) {
    const { site, query } = call
    const now = services.clock.now()
    const { buildingUuid, spaceUuid, clusterUuid, deviceType, metricType, status } = query
    return services.queries.run(call, listCost(query, site.devices.size), async () => {
      const signals = await loadSignals(services, site)
      const items = [...site.devices.values()].filter(
        (device) =>
          matchesFilter(buildingUuid, device.space.buildingUuid) &&
          matchesFilter(spaceUuid, device.space.spaceUuid) &&
          matchesFilter(clusterUuid, device.space.clusterUuid) &&
          (deviceType === undefined || device.record.deviceType === deviceType) &&
          (metricType === undefined || Object.hasOwn(device.record.metrics, metricType)) &&
          (status === undefined || deriveDeviceState(device, signals, now).status === status),
      )
      return listReply(call, services, {
        name: 'devices',
        items,
        getKey: ({ record }) => [record.deviceName, record.deviceUuid],
        toWire: (device) => toWireDevice(site, device, signals, now),
        columns: DEVICE_COLUMNS,
      })
    })
  },
})

import { about } from '@portico/wire/about'
import { Page } from '@portico/wire/page'
import { Device as WireDevice, DeviceStatus } from '@portico/wire/v2/device'
import { MetricName } from '@portico/wire/v2/metric-type'
import { Type } from 'typebox'
import { loadSignals, withUsualSteps } from '../../../domain/telemetry/device-status/signals.ts'
import { deriveDeviceState } from '../../../domain/telemetry/device-status/status.ts'
import type { Device } from '../../../domain/estate/inventory/site-model.ts'
import { role } from '../../pipeline/gates.ts'
import { pageOrCsv } from '../../pipeline/produces.ts'
import { defineRoute, type RouteServices } from '../../pipeline/route.ts'
import { listCost, pagedReply, toListPage } from '../paginate.ts'
import { matchesFilter } from '../matches-filter.ts'
import { deviceTypeFilter, filters, listQuery } from '../query.ts'
import { SITE_GATES } from '../surface.ts'
import { DEVICE_COLUMNS, toWireDevice } from '../../resources/device.ts'

export const listDevices = defineRoute({
  method: 'GET',
  path: '/devices',
  operationId: 'listDevices',
  summary: 'List all devices with metadata',
  description: 'Without `limit`, the response contains the whole list. Send `Accept: text/csv` for CSV.',
  tags: ['Devices'],
  gates: [...SITE_GATES, role('Devices.Read')],
  query: listQuery({
    ...filters,
    deviceType: deviceTypeFilter,
    metricType: Type.Optional(about(MetricName, 'Only devices that measure this metric.', 'electricity')),
    status: Type.Optional(about(DeviceStatus, 'Only devices with this status.')),
  }),
  produces: pageOrCsv('The devices, by name', Page(WireDevice)),
  errors: ['forbidden', 'rate-limited'],
  handle(
    call,
    services: Pick<
      RouteServices,
      | 'clock'
      | 'queries'
      | 'readings'
      | 'presences'
      | 'usualSteps'
      | 'deviceWarnings'
      | 'cursors'
      | 'addresses'
    >,
  ) {
    const { site, query } = call
    const now = services.clock.now()
    const { buildingUuid, spaceUuid, clusterUuid, deviceType, metricType, status } = query
    return services.queries.run(call, listCost(query, site.devices.size), async () => {
      const reported = await loadSignals(services, site)
      const matching = [...site.devices.values()].filter(
        (device) =>
          matchesFilter(buildingUuid, device.space.buildingUuid) &&
          matchesFilter(spaceUuid, device.space.spaceUuid) &&
          matchesFilter(clusterUuid, device.space.clusterUuid) &&
          (deviceType === undefined || device.record.deviceType === deviceType) &&
          (metricType === undefined || Object.hasOwn(device.record.metrics, metricType)),
      )
      const withStatus = async (wanted: string): Promise<Device[]> => {
        const signals = await withUsualSteps(services, site, matching, reported, now)
        return matching.filter((device) => deriveDeviceState(device, signals, now).status === wanted)
      }
      const page = toListPage(call, services, {
        name: 'devices',
        items: status === undefined ? matching : await withStatus(status),
        getKey: ({ record }) => [record.deviceName, record.deviceUuid],
      })
      const signals = await withUsualSteps(services, site, page.data, reported, now)
      const warnings = await services.deviceWarnings(site, page.data, signals, now)
      return pagedReply(call, services, {
        ...page,
        toWire: (device) => toWireDevice(site, device, { signals, warnings, now }),
        columns: DEVICE_COLUMNS,
      })
    })
  },
})

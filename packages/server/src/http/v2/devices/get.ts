import { NoQuery } from '@portico/wire/page'
import { Device as WireDevice } from '@portico/wire/v2/device'
import { loadDeviceSignals, withUsualSteps } from '../../../domain/telemetry/device-status/signals.ts'
import { role } from '../../pipeline/gates.ts'
import { json } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { requireDevice, DeviceParams } from '../path.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWireDevice } from '../../resources/device.ts'

export const getDevice = defineRoute({
  method: 'GET',
  path: '/devices/{deviceuuid}',
  operationId: 'getDevice',
  summary: 'Read one device',
  description:
    'Where the device is, what it measures, how it can be controlled, its status and its warnings.',
  tags: ['Devices'],
  gates: [...SITE_GATES, role('Devices.Read')],
  params: DeviceParams,
  query: NoQuery,
  produces: json('The device', WireDevice),
  errors: ['forbidden', 'not-found', 'rate-limited'],
  async handle(
    call,
    services: Pick<Services, 'readings' | 'presences' | 'usualSteps' | 'deviceWarnings' | 'clock'>,
  ) {
    const { site } = call
    const device = requireDevice(call)
    const now = services.clock.now()
    const reported = await loadDeviceSignals(services, site, device)
    const signals = await withUsualSteps(services, site, [device], reported, now)
    const warnings = await services.deviceWarnings(site, [device], signals, now)
    return jsonReply(toWireDevice(site, device, { signals, warnings, now }))
  },
})

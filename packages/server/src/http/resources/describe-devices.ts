import type { Device as WireDevice } from '@portico/wire/v2/device'
import type { Device, SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { loadSignals, withUsualSteps } from '../../domain/telemetry/device-status/signals.ts'
import type { Services } from '../services.ts'
import { toWireDevice } from './device.ts'

export type DeviceServices = Pick<
  Services,
  'clock' | 'readings' | 'presences' | 'usualSteps' | 'deviceWarnings'
>

/** Devices with their status and warnings. */
export async function describeDevices(
  services: DeviceServices,
  model: SiteModel,
  devices: readonly Device[],
): Promise<WireDevice[]> {
  const now = services.clock.now()
  const reported = await loadSignals(services, model)
  const signals = await withUsualSteps(services, model, devices, reported, now)
  const warnings = await services.deviceWarnings(model, devices, signals, now)
  return devices.map((device) => toWireDevice(model, device, { signals, warnings, now }))
}

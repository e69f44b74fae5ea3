import type { Device as WireDevice } from '@portico/wire/v2/device'
import { type DeviceSignals, deriveDeviceState } from '../../domain/telemetry/device-status/status.ts'
import type { DeviceWarning } from '../../domain/telemetry/device-status/warnings.ts'
import type { Device, SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { getEffectiveControls } from '../../domain/control/schedule/bounds.ts'
import type { DeviceRecord, SitePolicy } from '../../domain/estate/inventory/inventory.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { METRIC_NAMES } from '../../domain/metric/catalogue.ts'

export const DEVICE_COLUMNS = [
  'deviceUuid',
  'deviceName',
  'deviceType',
  'manufacturer',
  'model',
  'serialNumber',
  'siteUuid',
  'buildingUuid',
  'floorNumber',
  'spaceUuid',
  'spaceName',
  'clusterUuid',
  'submeterOf',
  'metricTypes',
  'controllable',
  'capabilities',
  'effective',
  'status',
  'lastSeenAt',
  'batteryPercent',
  'warnings',
  'firmwareVersion',
  'installedAt',
] as const

function toWireEffective(record: DeviceRecord, policy: SitePolicy): WireDevice['effective'] {
  const { setpoint = null, setpointByMode, modes, power } = getEffectiveControls(record, policy)
  return { setpoint, setpointByMode, modes: [...modes], power }
}

/** The facts about the devices of a response at an instant. */
interface DeviceFacts {
  signals: DeviceSignals
  /** By device. */
  warnings: ReadonlyMap<string, readonly DeviceWarning[]>
  now: number
}

const toWireWarning = ({ code, since, message }: DeviceWarning): WireDevice['warnings'][number] => ({
  code,
  since: isoInstant(since),
  message,
})

export function toWireDevice(
  model: SiteModel,
  device: Device,
  { signals, warnings, now }: DeviceFacts,
): WireDevice {
  const { record, space } = device
  const state = deriveDeviceState(device, signals, now)
  return {
    deviceUuid: record.deviceUuid,
    deviceName: record.deviceName,
    deviceType: record.deviceType,
    manufacturer: record.manufacturer,
    model: record.model,
    serialNumber: record.serialNumber,
    siteUuid: model.site.siteUuid,
    buildingUuid: space.buildingUuid,
    floorNumber: space.floorNumber,
    spaceUuid: space.spaceUuid,
    spaceName: space.spaceName,
    clusterUuid: space.clusterUuid,
    submeterOf: record.submeterOf ?? null,
    metricTypes: METRIC_NAMES.filter((metric) => Object.hasOwn(record.metrics, metric)),
    controllable: (record.capabilities.schedule?.types.length ?? 0) > 0,
    capabilities: record.capabilities,
    effective: toWireEffective(record, model.policy),
    status: state.status,
    lastSeenAt: state.lastSeenAt === null ? null : isoInstant(state.lastSeenAt),
    batteryPercent: state.batteryPercent,
    warnings: (warnings.get(record.deviceUuid) ?? []).map(toWireWarning),
    firmwareVersion: record.firmwareVersion,
    installedAt: record.installedAt === null ? null : isoInstant(record.installedAt),
  }
}

import { type Static, Type } from 'typebox'
import { Capabilities, DeviceType } from '../operator/inventory.ts'
import { Instant, Uuid } from '../uuid.ts'
import { MetricName } from './metric-type.ts'
import { NullableNumber, NullableString, NullableUuid } from './common.ts'

export const DeviceTypeName = DeviceType

export const DeviceStatus = Type.Enum(['online', 'offline', 'unknown'], {
  description: 'online: reported by the device, or a reading within two hours; unknown: never seen.',
})

const NullableInstant = Type.Union([Instant, Type.Null()])

export const Device = Type.Object(
  {
    deviceUuid: Uuid,
    deviceName: Type.String(),
    deviceType: DeviceType,
    manufacturer: NullableString,
    model: NullableString,
    serialNumber: NullableString,
    siteUuid: Uuid,
    buildingUuid: Uuid,
    floorNumber: NullableNumber,
    spaceUuid: Uuid,
    spaceName: Type.String(),
    clusterUuid: NullableUuid,
    metricTypes: Type.Array(MetricName),
    controllable: Type.Boolean(),
    capabilities: Capabilities,
    status: DeviceStatus,
    lastSeenAt: NullableInstant,
    batteryPercent: NullableNumber,
    firmwareVersion: NullableString,
    installedAt: NullableInstant,
  },
  { title: 'Device', additionalProperties: false },
)

export type Device = Static<typeof Device>

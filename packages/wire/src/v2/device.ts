import { type Static, Type } from 'typebox'
import { Capabilities, DeviceType, Mode } from '../operator/inventory.ts'
import { Instant, Uuid } from '../uuid.ts'
import { MetricName } from './metric-type.ts'
import { NullableNumber, NullableString, NullableUuid } from './common.ts'

export const DeviceTypeName = DeviceType

export const DeviceStatus = Type.Enum(['online', 'offline', 'unknown'], {
  description:
    'online: reported by the device or its gateway, or a reading within two hours; without a gateway and presence, a ' +
    'reading within two hours or four times the usual time between two; unknown: never seen.',
})

export const WarningCode = Type.Enum(['offline', 'low-battery', 'stale', 'rejecting', 'suspect-readings'], {
  description:
    'offline: see status; low-battery: below 15 %; stale: no reading of a metric for four times the usual time ' +
    'between two; rejecting: the device rejected its last command; suspect-readings: implausible readings on one of ' +
    'the last seven days.',
})

const Warning = Type.Object(
  { code: WarningCode, since: Instant, message: Type.String() },
  { title: 'Warning', additionalProperties: false, description: 'since: when the state began.' },
)

const NullableInstant = Type.Union([Instant, Type.Null()])

const Effective = Type.Object(
  {
    setpoint: Type.Union([
      Type.Object(
        { min: Type.Number(), max: Type.Number(), step: Type.Number() },
        { additionalProperties: false, description: 'degC, for a target without a mode.' },
      ),
      Type.Null(),
    ]),
    modes: Type.Array(Mode),
    power: Type.Boolean(),
  },
  {
    title: 'Effective',
    additionalProperties: false,
    description:
      'What a target may contain now: the capabilities of the device within the policy of the site.',
  },
)

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
    submeterOf: Type.Union([Uuid, Type.Null()], {
      description:
        'The device whose meter also measures what this one measures. Sums over both count only that one.',
    }),
    metricTypes: Type.Array(MetricName),
    controllable: Type.Boolean(),
    capabilities: Capabilities,
    effective: Effective,
    status: DeviceStatus,
    lastSeenAt: NullableInstant,
    batteryPercent: NullableNumber,
    warnings: Type.Array(Warning),
    firmwareVersion: NullableString,
    installedAt: NullableInstant,
  },
  { title: 'Device', additionalProperties: false },
)

export type Device = Static<typeof Device>

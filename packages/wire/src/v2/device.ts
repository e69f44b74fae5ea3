import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Capabilities, DeviceType, Mode } from '../operator/inventory.ts'
import { Instant, Uuid } from '../uuid.ts'
import { MetricName } from './metric-type.ts'
import { NullableInteger, NullableNumber, NullableString, NullableUuid } from './common.ts'

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
  {
    code: WarningCode,
    since: about(Instant, 'When the state began.', '2026-11-14T02:10:00.000Z'),
    message: Type.String({
      description: 'The state in words.',
      examples: ['The battery is at 12 %.'],
    }),
  },
  { title: 'Warning', additionalProperties: false, description: 'A state that needs attention.' },
)

const NullableInstant = Type.Union([Instant, Type.Null()])

const setpointBounds = (description: string) =>
  Type.Object(
    {
      min: Type.Number({ description: 'The lowest temperature in degC.', examples: [7] }),
      max: Type.Number({ description: 'The highest temperature in degC.', examples: [25] }),
      step: Type.Number({ description: 'Temperatures are multiples of this.', examples: [0.5] }),
    },
    { additionalProperties: false, description },
  )

const setpointInMode = (mode: string) =>
  Type.Optional(setpointBounds(`degC, for a target with mode ${mode}.`))

const Effective = Type.Object(
  {
    setpoint: Type.Union([setpointBounds('degC, for a target without a mode.'), Type.Null()], {
      description: 'The temperatures that a target may have; null if it may have none.',
    }),
    setpointByMode: Type.Object(
      {
        heat: setpointInMode('heat'),
        cool: setpointInMode('cool'),
        auto: setpointInMode('auto'),
        fan: setpointInMode('fan'),
        dry: setpointInMode('dry'),
      },
      {
        additionalProperties: false,
        description:
          'The temperatures that a target with a mode may have: heating and cooling have different policies. Modes that ' +
          'the device does not have are absent.',
        examples: [{}],
      },
    ),
    modes: Type.Array(Mode, { description: 'The modes that a target may have.', examples: [[]] }),
    power: Type.Boolean({ description: 'Whether a target may have power.', examples: [false] }),
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
    deviceUuid: about(Uuid, 'The identifier of the device.', EXAMPLE.valveUuid),
    deviceName: Type.String({ description: 'The name of the device.', examples: ['S001 radiator valve'] }),
    deviceType: about(DeviceType, 'What the device is.', 'trv'),
    manufacturer: about(NullableString, 'The manufacturer; null if unknown.', 'Calderhay Controls'),
    model: about(NullableString, 'The model; null if unknown.', 'Valvet 2'),
    serialNumber: about(NullableString, 'The serial number; null if unknown.', 'CV2-24667783'),
    siteUuid: about(Uuid, 'The site of the device.', EXAMPLE.siteUuid),
    buildingUuid: about(Uuid, 'The building of its space.', EXAMPLE.buildingUuid),
    floorNumber: about(NullableInteger, 'The floor of its space; null if unknown.', 0),
    spaceUuid: about(Uuid, 'The space in which it is installed.', EXAMPLE.spaceUuid),
    spaceName: Type.String({ description: 'The name of that space.', examples: ['S001'] }),
    clusterUuid: about(NullableUuid, 'The cluster of its space; or null.', null),
    submeterOf: Type.Union([Uuid, Type.Null()], {
      description:
        'The device whose meter also measures what this one measures. Sums over both count only that one.',
      examples: [null],
    }),
    metricTypes: Type.Array(MetricName, {
      description: 'What the device measures.',
      examples: [['temperature']],
    }),
    controllable: Type.Boolean({ description: 'Whether it accepts commands.', examples: [true] }),
    capabilities: about(Capabilities, 'What the device can do, as declared in the inventory.'),
    effective: about(Effective, 'What a target may contain now.'),
    status: DeviceStatus,
    lastSeenAt: about(
      NullableInstant,
      'Time of the last reading or presence; null if never seen.',
      '2026-11-16T09:27:41.000Z',
    ),
    batteryPercent: about(NullableNumber, 'The latest reading of the battery; null if it has none.', 74),
    warnings: Type.Array(Warning, {
      description: 'What needs attention; empty if there is nothing to report.',
      examples: [[]],
    }),
    firmwareVersion: about(NullableString, 'The version of its firmware; null if unknown.', '7.3.1'),
    installedAt: about(
      NullableInstant,
      'When it was installed; null if unknown.',
      '2024-07-22T12:15:00.000Z',
    ),
  },
  { title: 'Device', additionalProperties: false, description: 'A meter, sensor, valve or other device.' },
)

export type Device = Static<typeof Device>

export const DevicePlacement = Type.Object(
  {
    spaceUuid: about(Uuid, 'The space.', EXAMPLE.spaceUuid),
    spaceName: Type.String({ description: 'Its name.', examples: ['S001'] }),
    fromDateTime: about(
      NullableInstant,
      'Start; null for the first space, if the inventory does not state since when the device has been there.',
      '2026-11-14T10:00:00.000Z',
    ),
    toDateTime: about(NullableInstant, 'End, exclusive; null if the device is still there.', null),
  },
  { title: 'DevicePlacement', additionalProperties: false, description: 'The time of a device in a space.' },
)

export type DevicePlacement = Static<typeof DevicePlacement>

export const DeviceRejection = Type.Object(
  {
    timestamp: about(Instant, 'When the message arrived.', '2026-11-15T10:00:00.000Z'),
    topic: Type.String({
      description: 'The topic of the message.',
      examples: [`portico/v1/${EXAMPLE.siteUuid}/${EXAMPLE.meterUuid}/readings`],
    }),
    reason: Type.String({ description: 'A code such as not-json.', examples: ['not-json'] }),
    message: Type.String({
      description: 'What is wrong; if a message was rejected in part, also how many of its records.',
      examples: ['The payload is not JSON.'],
    }),
  },
  {
    title: 'DeviceRejection',
    additionalProperties: false,
    description: 'A message of a device that was rejected entirely or in part.',
  },
)

export type DeviceRejection = Static<typeof DeviceRejection>

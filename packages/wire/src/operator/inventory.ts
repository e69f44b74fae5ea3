import { type Static, type TSchema, Type } from 'typebox'
import { Instant, Uuid } from '../uuid.ts'
import { MEASURED_METRICS } from '../v2/metric-type.ts'

/** Plain text on a single line. */
const Line = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[^\\u0000-\\u001f\\u007f]+$',
    description: 'One line of text.',
  })

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** The integer identifier of version 1; assigned permanently if absent. */
const LegacyId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

export const SpaceType = Type.Enum(
  ['bedroom', 'studio', 'livingKitchenDining', 'office', 'corridor', 'plant', 'other'],
  { title: 'SpaceType' },
)

export const DeviceType = Type.Enum(
  [
    'electricityMeter',
    'gasMeter',
    'waterMeter',
    'heatMeter',
    'multiSensor',
    'thermostat',
    'trv',
    'heater',
    'smartPlug',
    'hotWaterCylinder',
    'airConditioner',
    'solarInverter',
    'occupancySensor',
  ],
  { title: 'DeviceType' },
)

export const MeasuredMetric = Type.Enum([...MEASURED_METRICS, 'battery'])

const Bounds = Type.Object({ min: Type.Number(), max: Type.Number() }, { additionalProperties: false })

export const InventorySite = Type.Object(
  {
    siteUuid: Uuid,
    siteName: Line(200),
    timeZone: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA name, such as Europe/London; case-insensitive.',
    }),
    legacyId: Type.Optional(LegacyId),
    latitude: Type.Optional(Nullable(Type.Number({ minimum: -90, maximum: 90 }))),
    longitude: Type.Optional(Nullable(Type.Number({ minimum: -180, maximum: 180 }))),
    postcode: Type.Optional(Nullable(Line(16))),
    sandbox: Type.Optional(Type.Boolean()),
    policy: Type.Optional(
      Type.Object(
        {
          heating: Type.Optional(Bounds),
          cooling: Type.Optional(Bounds),
          hotWater: Type.Optional(Bounds),
        },
        {
          additionalProperties: false,
          description:
            'Bounds for temperatures in degC. By default, heating is 7 to 25, cooling 18 to 30 and hotWater 50 to 60.',
        },
      ),
    ),
  },
  { title: 'InventorySite', additionalProperties: false },
)

export const InventoryBuilding = Type.Object(
  { buildingUuid: Uuid, buildingName: Line(200), legacyId: Type.Optional(LegacyId) },
  { title: 'InventoryBuilding', additionalProperties: false },
)

const Utility = ['electricity', 'gas', 'water', 'hotwater', 'heating', 'cooling'] as const

const Target = Type.Object(
  { perDay: Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }) },
  { additionalProperties: false },
)

export const InventorySpace = Type.Object(
  {
    spaceUuid: Uuid,
    spaceName: Line(200),
    spaceType: SpaceType,
    buildingUuid: Uuid,
    floorNumber: Type.Optional(Nullable(Type.Integer({ minimum: -20, maximum: 300 }))),
    clusterUuid: Type.Optional(Nullable(Uuid)),
    clusterName: Type.Optional(Nullable(Line(200))),
    areaM2: Type.Optional(Nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1e7 }))),
    capacity: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 100_000 }))),
    legacyId: Type.Optional(LegacyId),
    targets: Type.Optional(
      Type.Object(
        Object.fromEntries(Utility.map((metric) => [metric, Type.Optional(Target)])) as Record<
          (typeof Utility)[number],
          ReturnType<typeof Type.Optional<typeof Target>>
        >,
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'InventorySpace', additionalProperties: false },
)

export const InventoryMetric = Type.Object(
  {
    kind: Type.Enum(['register', 'delta', 'gauge']),
    registerSize: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e12,
        description: 'The value at which the register returns to 0.',
      }),
    ),
    maxPerHour: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e12,
        description: 'Consumption above it is marked as suspect.',
      }),
    ),
    maxGapMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1440,
        description:
          'Gauges only: a reading stands for the time until the next one, at most for this long. 60 if absent.',
      }),
    ),
    of: Type.Optional(
      Type.Enum(['air', 'water', 'surface', 'outdoor'], {
        description:
          'Gauges only: what is measured. Only air counts as the climate of a space. Water for a hotWaterCylinder, air for any other device, if absent.',
      }),
    ),
    stamp: Type.Optional(
      Type.Enum(['start', 'end'], {
        description:
          'Deltas only: whether a timestamp is the start or the end of the interval. Start if absent.',
      }),
    ),
    stepMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1440,
        description: 'Deltas only: length of the interval. The distance to the next delta if absent.',
      }),
    ),
  },
  { title: 'InventoryMetric', additionalProperties: false },
)

export const ScheduleType = Type.Enum(['weekly', 'oneOff', 'override', 'boost', 'resume'])

export const Mode = Type.Enum(['heat', 'cool', 'auto', 'fan', 'dry', 'off'])

export const Capabilities = Type.Object(
  {
    schedule: Type.Optional(
      Type.Object(
        {
          types: Type.Array(ScheduleType, { maxItems: 5 }),
          execution: Type.Optional(Type.Enum(['device', 'server'])),
          minuteStep: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
          maxPeriodsPerDay: Type.Optional(Type.Integer({ minimum: 1, maximum: 42 })),
        },
        { additionalProperties: false },
      ),
    ),
    setpoint: Type.Optional(
      Type.Object(
        {
          min: Type.Number(),
          max: Type.Number(),
          step: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
          unit: Type.Optional(Type.Literal('degC')),
        },
        { additionalProperties: false },
      ),
    ),
    power: Type.Optional(Type.Boolean({ description: 'Whether the device can be switched on and off.' })),
    modes: Type.Optional(
      Type.Array(Mode, {
        minItems: 1,
        maxItems: 6,
        uniqueItems: true,
        description: 'Modes that a target can set.',
      }),
    ),
    boost: Type.Optional(
      Type.Object(
        { maxMinutes: Type.Optional(Type.Integer({ minimum: 5, maximum: 240 })) },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'Capabilities', additionalProperties: false },
)

export const InventoryDevice = Type.Object(
  {
    deviceUuid: Uuid,
    deviceName: Line(200),
    deviceType: DeviceType,
    spaceUuid: Uuid,
    since: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When it was installed in this space, not in the future; the time of applying the document if absent.',
      }),
    ),
    gatewayUuid: Type.Optional(Nullable(Uuid)),
    manufacturer: Type.Optional(Nullable(Line(200))),
    model: Type.Optional(Nullable(Line(200))),
    serialNumber: Type.Optional(Nullable(Line(200))),
    firmwareVersion: Type.Optional(Nullable(Line(200))),
    installedAt: Type.Optional(Nullable(Instant)),
    submeterOf: Type.Optional(
      Type.Union([Uuid, Type.Null()], {
        description:
          'The device of the site whose meter also measures what this one measures. Sums over both count only that device.',
      }),
    ),
    metrics: Type.Optional(
      Type.Partial(Type.Record(MeasuredMetric, InventoryMetric), { additionalProperties: false }),
    ),
    capabilities: Type.Optional(Capabilities),
  },
  { title: 'InventoryDevice', additionalProperties: false },
)

/**
 * A whole site as one document. Applying it makes the site match the document; records that it no longer contains are
 * archived.
 */
export const Inventory = Type.Object(
  {
    site: InventorySite,
    buildings: Type.Array(InventoryBuilding, { maxItems: 10_000 }),
    spaces: Type.Array(InventorySpace, { maxItems: 100_000 }),
    devices: Type.Array(InventoryDevice, { maxItems: 200_000 }),
  },
  { title: 'Inventory', additionalProperties: false },
)

export type Inventory = Static<typeof Inventory>

export const InventoryChanges = Type.Object(
  {
    created: Type.Integer(),
    updated: Type.Integer(),
    archived: Type.Integer(),
    unchanged: Type.Integer(),
    archivedRecords: Type.Optional(
      Type.Array(
        Type.Object(
          { kind: Type.Enum(['building', 'space', 'device']), uuid: Uuid, name: Type.String() },
          { additionalProperties: false },
        ),
        { description: 'With dryRun only: the records that would be archived, the first 1,000.' },
      ),
    ),
  },
  { title: 'InventoryChanges', additionalProperties: false },
)

export type InventoryChanges = Static<typeof InventoryChanges>

import { type Static, type TSchema, Type } from 'typebox'
import { about, LINE } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Instant, Uuid } from '../uuid.ts'
import { MEASURED_METRICS } from '../v2/metric-type.ts'

/** Plain text on a single line. */
const Line = (maxLength: number, description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    ...LINE,
    description,
    examples: [example],
  })

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** The integer identifier of version 1; assigned permanently if absent. */
const legacyId = (example: number) =>
  Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The identifier in version 1; assigned permanently if absent.',
    examples: [example],
  })

export const SpaceType = Type.Enum(
  ['bedroom', 'studio', 'livingKitchenDining', 'office', 'corridor', 'plant', 'other'],
  { title: 'SpaceType', description: 'What a space is used for.' },
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
  { title: 'DeviceType', description: 'What a device is.' },
)

const MEASURED = [...MEASURED_METRICS, 'battery'] as const

export const MeasuredMetric = Type.Enum([...MEASURED])

const bounds = (description: string, min: number, max: number) =>
  Type.Object(
    {
      min: Type.Number({ description: 'The lowest temperature.', examples: [min] }),
      max: Type.Number({ description: 'The highest temperature.', examples: [max] }),
    },
    { additionalProperties: false, description, examples: [{ min, max }] },
  )

export const InventorySite = Type.Object(
  {
    siteUuid: about(Uuid, 'The identifier of the site, chosen by you.', EXAMPLE.siteUuid),
    siteName: Line(200, 'The name of the site.', 'Aldgate Court'),
    timeZone: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA name, such as Europe/London; case-insensitive.',
      examples: ['Europe/London'],
    }),
    legacyId: Type.Optional(legacyId(EXAMPLE.siteId)),
    latitude: Type.Optional(
      about(Nullable(Type.Number({ minimum: -90, maximum: 90 })), 'For the weather; degrees.', 51.5143),
    ),
    longitude: Type.Optional(
      about(Nullable(Type.Number({ minimum: -180, maximum: 180 })), 'For the weather; degrees.', -0.0726),
    ),
    postcode: Type.Optional(
      about(Nullable(Line(16, 'The postcode.', 'E1')), 'For the carbon intensity of the region.', 'E1'),
    ),
    sandbox: Type.Optional(Type.Boolean({ description: 'Whether the site is for testing.' })),
    policy: Type.Optional(
      Type.Object(
        {
          heating: Type.Optional(bounds('Bounds of heating, in degrees Celsius.', 7, 25)),
          cooling: Type.Optional(bounds('Bounds of cooling, in degrees Celsius.', 18, 30)),
          hotWater: Type.Optional(bounds('Bounds of hot water, in degrees Celsius.', 50, 60)),
        },
        {
          additionalProperties: false,
          description:
            'Bounds for temperatures in degrees Celsius. By default, heating is 7 to 25, cooling 18 to 30 and hotWater 50 to 60.',
        },
      ),
    ),
  },
  { title: 'InventorySite', additionalProperties: false, description: 'The site itself.' },
)

export const InventoryBuilding = Type.Object(
  {
    buildingUuid: about(Uuid, 'The identifier of the building, chosen by you.', EXAMPLE.buildingUuid),
    buildingName: Line(200, 'The name of the building.', 'Saddler House'),
    legacyId: Type.Optional(legacyId(EXAMPLE.buildingId)),
  },
  { title: 'InventoryBuilding', additionalProperties: false, description: 'A building of the site.' },
)

const Utility = ['electricity', 'gas', 'water', 'hotwater', 'heating', 'cooling'] as const

const Target = Type.Object(
  {
    perDay: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1e9,
      description: 'Consumption per day, in the unit of the metric.',
      examples: [4.2],
    }),
  },
  { additionalProperties: false },
)

export const InventorySpace = Type.Object(
  {
    spaceUuid: about(Uuid, 'The identifier of the space, chosen by you.', EXAMPLE.spaceUuid),
    spaceName: Line(200, 'The name of the space.', 'S001'),
    spaceType: about(SpaceType, 'What the space is used for.', 'studio'),
    buildingUuid: about(Uuid, 'The building of the space.', EXAMPLE.buildingUuid),
    floorNumber: Type.Optional(
      about(Nullable(Type.Integer({ minimum: -20, maximum: 300 })), 'The floor; 0 is the ground floor.', 0),
    ),
    clusterUuid: Type.Optional(
      about(Nullable(Uuid), 'The flat or other group of spaces that it is part of.'),
    ),
    clusterName: Type.Optional(
      about(Nullable(Line(200, 'The name of the cluster.', 'Flat W1A')), 'The name of the cluster.'),
    ),
    areaM2: Type.Optional(
      about(Nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1e7 })), 'The floor area in m².', 21),
    ),
    capacity: Type.Optional(
      about(
        Nullable(Type.Integer({ minimum: 0, maximum: 100_000 })),
        'The number of people that it is designed for.',
        1,
      ),
    ),
    legacyId: Type.Optional(legacyId(EXAMPLE.spaceId)),
    targets: Type.Optional(
      Type.Object(
        Object.fromEntries(
          Utility.map((metric) => [metric, Type.Optional(about(Target, `Target for ${metric}.`))]),
        ) as Record<(typeof Utility)[number], ReturnType<typeof Type.Optional<typeof Target>>>,
        { additionalProperties: false, description: 'Targets for consumption.' },
      ),
    ),
  },
  { title: 'InventorySpace', additionalProperties: false, description: 'A space in a building of the site.' },
)

export const InventoryMetric = Type.Object(
  {
    kind: Type.Enum(['register', 'delta', 'gauge'], {
      description:
        'register: a meter that counts up; delta: consumption of intervals; gauge: a measured value.',
    }),
    registerSize: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e12,
        description: 'The value at which the register returns to 0.',
        examples: [1_000_000],
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
          'Gauges only: a reading is valid until the next one, but at most for this long. 60 if absent.',
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
  { title: 'InventoryMetric', additionalProperties: false, description: 'How a device measures one metric.' },
)

export const ScheduleType = Type.Enum(['weekly', 'oneOff', 'override', 'boost', 'resume'])

export const Mode = Type.Enum(['heat', 'cool', 'auto', 'fan', 'dry', 'off'])

export const Capabilities = Type.Object(
  {
    schedule: Type.Optional(
      Type.Object(
        {
          types: Type.Array(ScheduleType, {
            maxItems: 5,
            description: 'The types of commands that it accepts.',
            examples: [['weekly', 'oneOff', 'override', 'boost', 'resume']],
          }),
          execution: Type.Optional(
            Type.Enum(['device', 'server'], {
              description: 'Whether the device holds the plan, or the server sends each target.',
              examples: ['device'],
            }),
          ),
          minuteStep: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 60,
              description: 'Times of a plan are multiples of this many minutes.',
              examples: [10],
            }),
          ),
          maxPeriodsPerDay: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 42,
              description: 'Maximum number of periods in a day of a plan.',
              examples: [6],
            }),
          ),
        },
        {
          additionalProperties: false,
          description: 'Absent if it accepts no commands.',
          examples: [
            {
              types: ['weekly', 'oneOff', 'override', 'boost', 'resume'],
              execution: 'device',
              minuteStep: 10,
              maxPeriodsPerDay: 6,
            },
          ],
        },
      ),
    ),
    setpoint: Type.Optional(
      Type.Object(
        {
          min: Type.Number({ description: 'The lowest temperature.', examples: [5] }),
          max: Type.Number({ description: 'The highest temperature.', examples: [30] }),
          step: Type.Optional(
            Type.Number({
              exclusiveMinimum: 0,
              description: 'Temperatures are multiples of this.',
              examples: [0.5],
            }),
          ),
          unit: Type.Optional(Type.Literal('degC', { description: 'The unit.', examples: ['degC'] })),
        },
        {
          additionalProperties: false,
          description: 'The temperatures that can be set; absent if there are none.',
          examples: [{ min: 5, max: 30, step: 0.5, unit: 'degC' }],
        },
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
        {
          maxMinutes: Type.Optional(
            Type.Integer({
              minimum: 5,
              maximum: 240,
              description: 'The longest boost in minutes.',
              examples: [240],
            }),
          ),
        },
        { additionalProperties: false, description: 'Limits of boosts.', examples: [{ maxMinutes: 240 }] },
      ),
    ),
  },
  { title: 'Capabilities', additionalProperties: false, description: 'What a device can do.' },
)

export const InventoryDevice = Type.Object(
  {
    deviceUuid: about(Uuid, 'The identifier of the device, chosen by you.', EXAMPLE.meterUuid),
    deviceName: Line(200, 'The name of the device.', 'S001 electricity'),
    deviceType: about(DeviceType, 'What the device is.', 'electricityMeter'),
    spaceUuid: about(Uuid, 'The space in which it is installed.', EXAMPLE.spaceUuid),
    since: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When it was installed in this space, not in the future; the time of applying the document if absent.',
      }),
    ),
    gatewayUuid: Type.Optional(about(Nullable(Uuid), 'The gateway that connects it.')),
    manufacturer: Type.Optional(
      about(
        Nullable(Line(200, 'The manufacturer.', 'Ostermere Metering')),
        'The manufacturer.',
        'Ostermere Metering',
      ),
    ),
    model: Type.Optional(about(Nullable(Line(200, 'The model.', 'EM120')), 'The model.', 'EM120')),
    serialNumber: Type.Optional(
      about(
        Nullable(Line(200, 'The serial number.', 'OM12-24801404')),
        'The serial number.',
        'OM12-24801404',
      ),
    ),
    firmwareVersion: Type.Optional(
      about(
        Nullable(Line(200, 'The version of its firmware.', '2.6.0')),
        'The version of its firmware.',
        '2.6.0',
      ),
    ),
    installedAt: Type.Optional(
      about(Nullable(Instant), 'When it was installed.', '2024-07-15T12:00:00.000Z'),
    ),
    submeterOf: Type.Optional(
      Type.Union([Uuid, Type.Null()], {
        description:
          'The device of the site whose meter also measures what this one measures. Sums over both count only that device.',
      }),
    ),
    metrics: Type.Optional(
      Type.Object(
        Object.fromEntries(
          MEASURED.map((metric, index) => [
            metric,
            Type.Optional(
              about(
                InventoryMetric,
                `How it measures ${metric}.`,
                ...(index === 0 ? [{ kind: 'register', registerSize: 1_000_000 }] : []),
              ),
            ),
          ]),
        ) as Record<(typeof MEASURED)[number], ReturnType<typeof Type.Optional<typeof InventoryMetric>>>,
        {
          additionalProperties: false,
          description: 'What it measures.',
          examples: [{ electricity: { kind: 'register', registerSize: 1_000_000 } }],
        },
      ),
    ),
    capabilities: Type.Optional(about(Capabilities, 'What it can do; absent if it accepts no commands.')),
  },
  {
    title: 'InventoryDevice',
    additionalProperties: false,
    description: 'A device: where it is, what it measures and how it can be controlled.',
  },
)

/**
 * A whole site as one document. Applying it makes the site match the document; records that it no longer contains are
 * archived.
 */
export const Inventory = Type.Object(
  {
    site: about(InventorySite, 'The site.'),
    buildings: Type.Array(InventoryBuilding, { maxItems: 10_000, description: 'Its buildings.' }),
    spaces: Type.Array(InventorySpace, { maxItems: 100_000, description: 'Its spaces.' }),
    devices: Type.Array(InventoryDevice, { maxItems: 200_000, description: 'Its devices.' }),
  },
  { title: 'Inventory', additionalProperties: false, description: 'A whole site as one document.' },
)

export type Inventory = Static<typeof Inventory>

export const InventoryChanges = Type.Object(
  {
    created: Type.Integer({ description: 'Number of new records.', examples: [3] }),
    updated: Type.Integer({ description: 'Number of changed records.', examples: [1] }),
    archived: Type.Integer({
      description: 'Number of records that the document no longer contains.',
      examples: [0],
    }),
    unchanged: Type.Integer({ description: 'Number of unchanged records.', examples: [84] }),
    archivedRecords: Type.Optional(
      Type.Array(
        Type.Object(
          {
            kind: Type.Enum(['building', 'space', 'device'], { description: 'What the record is.' }),
            uuid: about(Uuid, 'Its identifier.', EXAMPLE.spaceUuid),
            name: Type.String({ description: 'Its name.', examples: ['Studio 1.01'] }),
          },
          { additionalProperties: false },
        ),
        { description: 'With dryRun only: the records that would be archived, the first 1,000.' },
      ),
    ),
    changes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            kind: Type.Enum(['site', 'building', 'space', 'device'], { description: 'What the record is.' }),
            uuid: about(Uuid, 'Its identifier.', EXAMPLE.spaceUuid),
            name: Type.String({ description: 'Its name.', examples: ['Studio 1.01'] }),
            what: Type.Enum(['created', 'updated', 'archived'], { description: 'What would happen to it.' }),
          },
          {
            title: 'InventoryChange',
            additionalProperties: false,
            description: 'A record that would change.',
          },
        ),
        {
          description:
            'With dryRun only: the records that would change, the first 1,000; those to archive come first.',
        },
      ),
    ),
  },
  {
    title: 'InventoryChanges',
    additionalProperties: false,
    description: 'How many records an inventory document created, updated and archived.',
  },
)

export type InventoryChanges = Static<typeof InventoryChanges>

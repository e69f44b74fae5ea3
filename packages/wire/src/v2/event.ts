import { type Static, type TSchema, Type } from 'typebox'
import { about, DESCRIBED_AS } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { DeviceType } from '../operator/inventory.ts'
import { Instant, Uuid } from '../uuid.ts'
import { Command } from './command.ts'
import { LocalTime, NullableString } from './common.ts'
import { MetricName } from './metric-type.ts'

const NullableUuid = Type.Union([Uuid, Type.Null()])

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

const CommandUpdatedData = Type.Object(
  {
    previousState: Type.Union([Command.properties.state, Type.Null()], {
      description: 'The state before; null for a new command.',
      examples: ['DELIVERED'],
    }),
    command: about(
      Command,
      'The command as it is now, as GET /devices/{deviceuuid}/commands/{commandUuid} returns it.',
    ),
  },
  { title: 'CommandUpdatedData', description: 'A command that has changed its state.' },
)

const DeviceStatusData = Type.Object(
  {
    deviceName: Type.String({ description: 'The name of the device.', examples: ['S001 radiator valve'] }),
    deviceType: about(DeviceType, 'The type of the device.', 'trv'),
    spaceName: Type.String({ description: 'The name of its space.', examples: ['S001'] }),
    status: Type.Enum(['online', 'offline'], {
      description: 'The status that GET /devices shows. It has been the same for 30 seconds.',
      examples: ['offline'],
    }),
    since: about(Instant, 'Since when the device has this status.', '2026-11-16T09:29:32.000Z'),
    reason: Type.Union([Type.Enum(['presence', 'gateway', 'silent']), Type.Null()], {
      description:
        'Why it is offline: presence (it reported so), gateway (its gateway is offline) or silent (it has sent nothing for too long); null if it is online.',
      examples: ['gateway'],
    }),
    gatewayUuid: about(NullableUuid, 'Its gateway; null if it has none.', EXAMPLE.gatewayUuid),
  },
  { title: 'DeviceStatusData', description: 'A device and its new status.' },
)

const InventoryChangedData = Type.Object(
  {
    created: count('Number of records created.', 2),
    updated: count('Number of records changed.', 1),
    archived: count('Number of records archived.', 0),
    version: count('The version of the inventory after the change.', 7),
    spaceUuids: Type.Array(Uuid, {
      description: 'Spaces that were created, changed or archived, at most 100.',
      examples: [[EXAMPLE.spaceUuid]],
    }),
    deviceUuids: Type.Array(Uuid, {
      description: 'Devices that were created, changed or archived, at most 100.',
      examples: [[EXAMPLE.valveUuid]],
    }),
    isComplete: Type.Boolean({ description: 'Whether both lists are complete.', examples: [true] }),
  },
  { title: 'InventoryChangedData', description: 'What an inventory document changed.' },
)

const BatteryLowData = Type.Object(
  {
    deviceName: Type.String({ description: 'The name of the device.', examples: ['S001 radiator valve'] }),
    deviceType: about(DeviceType, 'The type of the device.', 'trv'),
    spaceName: Type.String({ description: 'The name of its space.', examples: ['S001'] }),
    percent: Type.Number({ minimum: 0, description: 'The charge of its battery.', examples: [14] }),
    since: about(Instant, 'The time of that reading.', '2026-11-16T09:30:02.000Z'),
    gatewayUuid: about(NullableUuid, 'Its gateway; null if it has none.', EXAMPLE.gatewayUuid),
  },
  { title: 'BatteryLowData', description: 'A device and the charge of its battery.' },
)

const link = (description: string, example: string) => Type.String({ description, examples: [example] })

const EXAMPLE_RANGE = 'fromDateTime=2026-11-14&toDateTime=2026-11-15'

const Links = Type.Object(
  {
    daily: link(
      'Reads the values of these days as a batch; only the first eight metrics if there are more.',
      `/v2/aggregate/daily?metricTypes=electricity&${EXAMPLE_RANGE}`,
    ),
    windows: link(
      'Reads the values of these days as an export, by hour.',
      `/v2/export/windows?interval=PT1H&metricTypes=electricity&${EXAMPLE_RANGE}`,
    ),
  },
  { title: 'FigureLinks', description: 'Paths of calls that read the values.' },
)

const DayClosedData = Type.Object(
  {
    date: Type.String({ description: 'The day, in the time zone of the site.', examples: ['2026-11-14'] }),
    fromDateTime: about(LocalTime, 'Start of the day.', '2026-11-14T00:00:00+00:00'),
    toDateTime: about(LocalTime, 'End of the day, exclusive.', '2026-11-15T00:00:00+00:00'),
    series: count('Number of pairs of a space and a metric that have data for the day.', 331),
    complete: count('Number of those pairs whose data covers the whole day.', 329),
    links: about(Links, 'Paths of calls that read the values of the day.'),
  },
  { title: 'DayClosedData', description: 'A day of the site.' },
)

const DataCorrectedData = Type.Object(
  {
    spaceUuid: about(Uuid, 'The space.', EXAMPLE.spaceUuid),
    metricType: about(
      MetricName,
      'The metric. Those that are computed from it may have changed too.',
      'electricity',
    ),
    fromDateTime: about(LocalTime, 'Start of the first day.', '2026-11-14T00:00:00+00:00'),
    toDateTime: about(LocalTime, 'End of the last day, exclusive.', '2026-11-15T00:00:00+00:00'),
    days: Type.Integer({ minimum: 1, maximum: 366, description: 'The number of days.', examples: [1] }),
    links: about(Links, 'Paths of calls that read the values again.'),
  },
  { title: 'DataCorrectedData', description: 'Closed days of a space and a metric.' },
)

const event = <T extends string, D extends TSchema>(
  type: T,
  data: D,
  {
    title,
    description,
    subject,
    example,
  }: {
    title: string
    description: string
    subject: 'device' | 'space' | 'site'
    /** Of `data`, if that of its schema does not fit this type. */
    example?: object
  },
) =>
  Type.Object(
    {
      eventUuid: about(Uuid, 'The identifier of the event, the same however it is read.', EXAMPLE.eventUuid),
      type: Type.Literal(type, { description: 'The type of the event.' }),
      version: Type.Literal(1, { description: 'Changes when a field changes its meaning.' }),
      timestamp: about(Instant, 'When it happened.', '2026-11-16T09:30:02.000Z'),
      siteUuid: about(Uuid, 'The site of the event.', EXAMPLE.siteUuid),
      number: Type.Integer({
        minimum: 1,
        description: 'The position in the log of the site. The numbers of a site have no gaps.',
        examples: [18_235],
      }),
      deviceUuid: about(
        NullableUuid,
        'The device; null if the event concerns none.',
        subject === 'device' ? EXAMPLE.valveUuid : null,
      ),
      spaceUuid: about(
        NullableUuid,
        'The space, or the space of the device; null if there is none.',
        subject === 'site' ? null : EXAMPLE.spaceUuid,
      ),
      data: about(data, 'What happened.', ...(example ? [example] : [])),
    },
    { title, description },
  )

/** The schema of each type. Fields may be added, so none of them excludes others. */
export const EVENT_SCHEMAS = {
  'command.updated': event('command.updated', CommandUpdatedData, {
    title: 'CommandUpdatedEvent',
    description: 'A command entered a state, PENDING included.',
    subject: 'device',
  }),
  'device.online': event('device.online', DeviceStatusData, {
    title: 'DeviceOnlineEvent',
    description: 'A device has come online and stayed online for 30 seconds.',
    subject: 'device',
    example: {
      deviceName: 'S001 radiator valve',
      deviceType: 'trv',
      spaceName: 'S001',
      status: 'online',
      since: '2026-11-16T09:29:32.000Z',
      reason: null,
      gatewayUuid: EXAMPLE.gatewayUuid,
    },
  }),
  'device.offline': event('device.offline', DeviceStatusData, {
    title: 'DeviceOfflineEvent',
    description: 'A device has gone offline and stayed offline for 30 seconds.',
    subject: 'device',
  }),
  'inventory.changed': event('inventory.changed', InventoryChangedData, {
    title: 'InventoryChangedEvent',
    description: 'An inventory document was applied and changed something.',
    subject: 'site',
  }),
  'device.battery_low': event('device.battery_low', BatteryLowData, {
    title: 'DeviceBatteryLowEvent',
    description: 'The battery of a device has fallen below 15 % for the first time since it was above 25 %.',
    subject: 'device',
  }),
  'day.closed': event('day.closed', DayClosedData, {
    title: 'DayClosedEvent',
    description:
      'A day of the site is complete: its values are final, unless data.corrected reports a change.',
    subject: 'site',
  }),
  'data.corrected': event('data.corrected', DataCorrectedData, {
    title: 'DataCorrectedEvent',
    description:
      'Values of closed days have changed, because of late or corrected readings or a corrected inventory.',
    subject: 'space',
  }),
} as const

export const Event = Type.Union(Object.values(EVENT_SCHEMAS), {
  title: 'Event',
  description: 'Something that happened on a site.',
})

type Schemas = typeof EVENT_SCHEMAS

export type Event = { [T in keyof Schemas]: Static<Schemas[T]> }[keyof Schemas]

export const EventPage = Type.Object(
  {
    data: Type.Array(Event, { description: 'The events, oldest first.' }),
    pagination: about(
      Type.Object(
        {
          nextAfter: Type.Integer({
            minimum: 0,
            description: 'Send it as after to get the events that follow.',
            examples: [18_235],
          }),
          hasMore: Type.Boolean({ description: 'Whether there are already more events.', examples: [false] }),
        },
        { title: 'EventPagination', description: 'Where the next page starts.' },
      ),
      'Where the next page starts.',
    ),
  },
  { title: 'EventPage', description: 'Events of a site, oldest first, and where the next page starts.' },
)

export const EventTypeDescription = Type.Object(
  {
    type: Type.String({ description: 'The name of the type.', examples: ['command.updated'] }),
    version: Type.Integer({ description: 'Changes when a field changes its meaning.', examples: [1] }),
    description: Type.String({
      description: 'When such an event occurs.',
      examples: ['A command entered a state, PENDING included.'],
    }),
    requiredRole: about(
      NullableString,
      'The role that is required to see such events, besides Events.Read; null if there is none.',
      'Devices.Read',
    ),
    schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of such an event.' }),
    example: Type.Record(Type.String(), Type.Unknown(), { description: 'An event of this type.' }),
  },
  {
    title: 'EventType',
    additionalProperties: false,
    description: 'A type of event with its JSON Schema and an example.',
  },
)

const NUMBER = { pattern: '^(0|[1-9][0-9]{0,14})$', examples: [18_235] }

const after = (description: string) =>
  Type.Optional(Type.String({ ...NUMBER, description, [DESCRIBED_AS]: { type: 'integer', minimum: 0 } }))

const filters = {
  types: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Only events of these types, separated by commas.',
      examples: ['command.updated,device.offline'],
    }),
  ),
  deviceUuid: Type.Optional(about(Uuid, 'Only events of this device.', EXAMPLE.valveUuid)),
}

export const EventQuery = Type.Object(
  {
    after: after('Only events with a greater number; without it, those of the last hour.'),
    ...filters,
    spaceUuid: Type.Optional(about(Uuid, 'Only events of this space.', EXAMPLE.spaceUuid)),
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9][0-9]{0,2}|1000)$',
        description: 'Maximum number of events per page, from 1 to 1000; 100 if absent.',
        examples: [100],
        [DESCRIBED_AS]: { type: 'integer', minimum: 1, maximum: 1000 },
      }),
    ),
  },
  { additionalProperties: false },
)

export const EventStreamQuery = Type.Object(
  {
    after: after(
      'Start after this number. Without it and without Last-Event-ID, the stream starts with the next event.',
    ),
    ...filters,
  },
  { additionalProperties: false },
)

import { type Static, type TSchema, Type } from 'typebox'
import { about, FORM } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Mode, ScheduleType } from '../operator/inventory.ts'
import { Instant, Uuid } from '../uuid.ts'
import { NullableString } from './common.ts'

const WallClock = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  [FORM]: 'a time of day such as 07:00',
  description: 'When the period starts: HH:MM.',
  examples: ['07:00'],
})
const WallClockEnd = Type.String({
  pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
  [FORM]: 'a time of day such as 22:30, or 24:00',
  description: 'When the period ends: HH:MM or 24:00; on the next day if it is not after start.',
  examples: ['22:30'],
})
const Time = Type.String({ minLength: 10, maxLength: 40 })

const TIME = 'ISO 8601 time; without an offset, in the time zone of the command.'

const Target = Type.Object(
  {
    temperature: Type.Optional(Type.Number({ description: 'The setpoint in degC.', examples: [21.5] })),
    power: Type.Optional(Type.Enum(['on', 'off'], { description: 'Switches the device on or off.' })),
    mode: Type.Optional(about(Mode, 'The operating mode of an air conditioner.')),
  },
  {
    title: 'Target',
    additionalProperties: false,
    minProperties: 1,
    description: 'The desired state of the device. The field effective of a device shows what is accepted.',
  },
)

const common = {
  timeZone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA name, case-insensitive; offsets are not accepted. The site’s time zone if absent.',
    }),
  ),
  expiresAt: Type.Optional(
    about(Time, `When to give up if the device has not confirmed, at most 24 hours ahead. ${TIME}`),
  ),
  failIfOffline: Type.Optional(
    Type.Boolean({ description: 'Fail immediately if the device is offline, instead of waiting for it.' }),
  ),
  clientReference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000]+$',
      [FORM]: 'text without the character U+0000',
      description:
        'A text of your choice, returned with the command. It must not contain the character U+0000.',
      examples: ['booking-4711'],
    }),
  ),
}

const body = <T extends string, F extends Record<string, TSchema>>(type: T, description: string, fields: F) =>
  Type.Object(
    { type: Type.Literal(type, { description: 'The type of the command.' }), ...fields, ...common },
    { title: `${type[0]?.toUpperCase()}${type.slice(1)}Schedule`, additionalProperties: false, description },
  )

const Minutes = Type.Integer({ minimum: 1, maximum: 525_600 })

/** The body of each command type. */
export const ScheduleBodies = {
  weekly: body('weekly', 'A plan that repeats every week.', {
    default: about(Target, 'The target outside of all periods.', { temperature: 16 }),
    periods: Type.Array(
      Type.Object(
        {
          // With this type, the validator compares items as strings in linear time instead of pairwise by deep
          // equality.
          days: Type.Array(Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], { type: 'string' }), {
            minItems: 1,
            maxItems: 7,
            uniqueItems: true,
            description: 'The days on which the period starts.',
            examples: [['mon', 'tue', 'wed', 'thu', 'fri']],
          }),
          start: WallClock,
          end: WallClockEnd,
          target: about(Target, 'The target of the period.', { temperature: 20.5 }),
        },
        {
          title: 'WeeklyPeriod',
          additionalProperties: false,
          description: 'A period of the week with its target.',
        },
      ),
      { maxItems: 42, description: 'Periods with another target. They may not overlap.' },
    ),
  }),
  oneOff: body('oneOff', 'One period with another target.', {
    startsAt: about(Time, `When it starts. ${TIME}`, '2027-01-15T17:00'),
    endsAt: about(Time, `When it ends. ${TIME}`, '2027-01-15T22:00'),
    target: about(Target, 'The target of the period.'),
  }),
  override: body('override', 'Another target from now on, until the given end: exactly one of four fields.', {
    target: about(Target, 'The target until the end.'),
    until: Type.Optional(about(Time, `Ends at this time. ${TIME}`)),
    durationMinutes: Type.Optional(about(Minutes, 'Ends after this many minutes.', 90)),
    untilNextPeriod: Type.Optional(
      Type.Literal(true, { description: 'Ends when the next period of the weekly plan starts or ends.' }),
    ),
    permanent: Type.Optional(Type.Literal(true, { description: 'Ends with the next command only.' })),
  }),
  boost: body('boost', 'The highest output of the device, for a limited time.', {
    durationMinutes: Type.Integer({
      minimum: 5,
      maximum: 240,
      description: 'Length of the boost.',
      examples: [30],
    }),
    target: Type.Optional(about(Target, 'The target instead of the highest or lowest temperature.')),
  }),
  resume: body('resume', 'Ends overrides and boosts.', {}),
} as const

export const ScheduleBody = Type.Union(
  [
    ScheduleBodies.weekly,
    ScheduleBodies.oneOff,
    ScheduleBodies.override,
    ScheduleBodies.boost,
    ScheduleBodies.resume,
  ],
  {
    title: 'ScheduleBody',
    description: 'A command to a device; type determines its kind.',
    examples: [{ type: 'override', target: { temperature: 21.5 }, durationMinutes: 90 }],
  },
)

export const Command = Type.Object(
  {
    commandUuid: about(Uuid, 'The identifier of the command.', EXAMPLE.commandUuid),
    deviceUuid: about(Uuid, 'The device of the command.', EXAMPLE.valveUuid),
    type: about(ScheduleType, 'The type of the command.', 'override'),
    state: Type.Enum(['PENDING', 'SENT', 'DELIVERED', 'CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED'], {
      description:
        'PENDING: stored; SENT: on its way; DELIVERED: received by the device; CONFIRMED: in effect. CONFIRMED, FAILED, EXPIRED and CANCELLED are final.',
      examples: ['CONFIRMED'],
    }),
    createdAt: about(Instant, 'When it was accepted.', '2026-11-16T09:30:00.000Z'),
    updatedAt: about(Instant, 'When its state last changed.', '2026-11-16T09:30:02.000Z'),
    expiresAt: about(Instant, 'When it expires unless it is confirmed before.', '2026-11-16T11:00:00.000Z'),
    completedAt: Type.Union([Instant, Type.Null()], {
      description: 'When it reached a final state; null until then.',
      examples: ['2026-11-16T09:30:02.000Z'],
    }),
    failureReason: Type.Union(
      [
        Type.Object(
          {
            code: Type.String({
              description: 'A code such as DEVICE_OFFLINE, DEVICE_REJECTED or SUPERSEDED.',
              examples: ['DEVICE_OFFLINE'],
            }),
            message: Type.String({
              description: 'The reason in words.',
              examples: ['The device is offline.'],
            }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'Why it failed or was cancelled; null otherwise.', examples: [null] },
    ),
    clientReference: about(NullableString, 'The clientReference of the request; null if it had none.', null),
    schedule: about(ScheduleBody, 'The body of the request.'),
  },
  { title: 'Command', additionalProperties: false, description: 'A command and what became of it.' },
)

export type Command = Static<typeof Command>

/** What the example of a new command has instead of the fields of a confirmed one. */
export const PENDING_EXAMPLE = {
  state: 'PENDING',
  updatedAt: '2026-11-16T09:30:00.000Z',
  completedAt: null,
}

/** What the example of a cancelled command has instead of the fields of a confirmed one. */
export const CANCELLED_EXAMPLE = {
  state: 'CANCELLED',
  failureReason: { code: 'REQUESTED', message: 'Cancelled by the partner.' },
}

const NullableInstant = Type.Union([Instant, Type.Null()])
const NullableTarget = Type.Union([Target, Type.Null()])

/** The current and next states of a device. */
export const DeviceSchedule = Type.Object(
  {
    deviceUuid: about(Uuid, 'The identifier of the device.', EXAMPLE.valveUuid),
    timeZone: Type.String({ description: 'Time zone of the site.', examples: ['Europe/London'] }),
    plan: Type.Union([ScheduleBodies.weekly, Type.Null()], {
      description: 'The weekly schedule that the device confirmed last; null if there is none.',
    }),
    now: about(
      Type.Object(
        {
          target: about(NullableTarget, 'The target in effect; null if none is known.', {
            temperature: 21.5,
          }),
          source: Type.Enum(['override', 'boost', 'oneOff', 'weekly', 'default', 'none'], {
            description: 'Where the target comes from.',
          }),
          until: about(
            NullableInstant,
            'When the target ends; null if it has no end.',
            '2026-11-16T11:00:00.000Z',
          ),
        },
        { title: 'CurrentTarget', additionalProperties: false, description: 'A target and its end.' },
      ),
      'The target in effect.',
    ),
    next: Type.Union(
      [
        Type.Object(
          {
            at: about(Instant, 'When the target changes.', '2026-11-16T11:00:00.000Z'),
            target: about(NullableTarget, 'The target from then on; null if none is known.', {
              temperature: 20.5,
            }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The next change of the target; null if there is none.' },
    ),
    pending: Type.Array(Command, {
      description: 'Commands that have not ended, oldest first.',
      examples: [[]],
    }),
  },
  { title: 'DeviceSchedule', additionalProperties: false, description: 'What a device does now and next.' },
)

export type DeviceSchedule = Static<typeof DeviceSchedule>

import { type Static, type TSchema, Type } from 'typebox'
import { Mode, ScheduleType } from '../operator/inventory.ts'
import { Instant, Uuid } from '../uuid.ts'
import { NullableString } from './common.ts'

const WallClock = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM' })
const WallClockEnd = Type.String({
  pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
  description: 'HH:MM or 24:00',
})
const Time = Type.String({
  minLength: 10,
  maxLength: 40,
  description: 'ISO 8601 time; without an offset, in the time zone of the command.',
})

const Target = Type.Object(
  {
    temperature: Type.Optional(Type.Number({ description: 'degC' })),
    power: Type.Optional(Type.Enum(['on', 'off'])),
    mode: Type.Optional(Mode),
  },
  { title: 'Target', additionalProperties: false, minProperties: 1 },
)

const common = {
  timeZone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA name, case-insensitive; offsets are not accepted. The site’s time zone if absent.',
    }),
  ),
  expiresAt: Type.Optional(Time),
  failIfOffline: Type.Optional(Type.Boolean()),
  clientReference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000]+$',
      description: 'Any text without the character U+0000.',
    }),
  ),
}

const body = <T extends string, F extends Record<string, TSchema>>(type: T, fields: F) =>
  Type.Object(
    { type: Type.Literal(type), ...fields, ...common },
    { title: `${type[0]?.toUpperCase()}${type.slice(1)}Schedule`, additionalProperties: false },
  )

const Minutes = Type.Integer({ minimum: 1, maximum: 525_600 })

/** The body of each command type. */
export const ScheduleBodies = {
  weekly: body('weekly', {
    default: Target,
    periods: Type.Array(
      Type.Object(
        {
          // With this type, the validator compares items as strings in linear time instead of pairwise by deep
          // equality.
          days: Type.Array(Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], { type: 'string' }), {
            minItems: 1,
            maxItems: 7,
            uniqueItems: true,
          }),
          start: WallClock,
          end: WallClockEnd,
          target: Target,
        },
        { additionalProperties: false },
      ),
      { maxItems: 42 },
    ),
  }),
  oneOff: body('oneOff', { startsAt: Time, endsAt: Time, target: Target }),
  override: body('override', {
    target: Target,
    until: Type.Optional(Time),
    durationMinutes: Type.Optional(Minutes),
    untilNextPeriod: Type.Optional(Type.Literal(true)),
    permanent: Type.Optional(Type.Literal(true)),
  }),
  boost: body('boost', {
    durationMinutes: Type.Integer({ minimum: 5, maximum: 240 }),
    target: Type.Optional(Target),
  }),
  resume: body('resume', {}),
} as const

export const ScheduleBody = Type.Union([
  ScheduleBodies.weekly,
  ScheduleBodies.oneOff,
  ScheduleBodies.override,
  ScheduleBodies.boost,
  ScheduleBodies.resume,
])

export const Command = Type.Object(
  {
    commandUuid: Uuid,
    deviceUuid: Uuid,
    type: ScheduleType,
    state: Type.Enum(['PENDING', 'SENT', 'DELIVERED', 'CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED']),
    createdAt: Instant,
    updatedAt: Instant,
    expiresAt: Instant,
    completedAt: Type.Union([Instant, Type.Null()]),
    failureReason: Type.Union([
      Type.Object({ code: Type.String(), message: Type.String() }, { additionalProperties: false }),
      Type.Null(),
    ]),
    clientReference: NullableString,
    schedule: ScheduleBody,
  },
  { title: 'Command', additionalProperties: false },
)

export type Command = Static<typeof Command>

const NullableInstant = Type.Union([Instant, Type.Null()])
const NullableTarget = Type.Union([Target, Type.Null()])

/** The current and next states of a device. */
export const DeviceSchedule = Type.Object(
  {
    deviceUuid: Uuid,
    timeZone: Type.String({ description: 'Time zone of the site.' }),
    plan: Type.Union([ScheduleBodies.weekly, Type.Null()], {
      description: 'The weekly schedule that the device confirmed last.',
    }),
    now: Type.Object(
      {
        target: NullableTarget,
        source: Type.Enum(['override', 'boost', 'oneOff', 'weekly', 'default', 'none']),
        until: NullableInstant,
      },
      { additionalProperties: false },
    ),
    next: Type.Union([
      Type.Object({ at: Instant, target: NullableTarget }, { additionalProperties: false }),
      Type.Null(),
    ]),
    pending: Type.Array(Command, { description: 'Commands that have not ended, oldest first.' }),
  },
  { title: 'DeviceSchedule', additionalProperties: false },
)

export type DeviceSchedule = Static<typeof DeviceSchedule>

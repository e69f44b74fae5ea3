import { type TSchema, Type } from 'typebox'

export const NullableNumber = Type.Union([Type.Number(), Type.Null()])
export const NullableString = Type.Union([Type.String(), Type.Null()])

/** The version 1 identifier of a space, a building or a site. */
export const LegacyId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** Local time of the site with its offset, such as 2026-01-05T00:00:00+00:00. */
export const LocalTime = Type.String({ format: 'date-time' })
export const NullableTime = Type.Union([LocalTime, Type.Null()])

/** A calendar day in the site's time zone. */
export const Day = Type.String({ format: 'date' })
/** A calendar month in the site's time zone, such as 2026-09. */
export const Month = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$' })

export const V1_UTILITIES = [
  'electricity',
  'gas',
  'water',
  'hotwater',
  'heating',
  'cooling',
  'solar',
] as const

export const V1_ENVIRONMENT = [
  'temperature',
  'humidity',
  'co2',
  'voc',
  'pm25',
  'noise',
  'light',
  'pressure',
  'occupancy',
  'motion',
] as const

/** One optional field per metric: only those that the space measures are present. */
export const perMetric = <N extends string, T extends TSchema>(names: readonly N[], value: T) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(value)])) as Record<
    N,
    ReturnType<typeof Type.Optional<T>>
  >

export const Figure = Type.Object(
  { value: NullableNumber, unit: Type.String() },
  { title: 'Figure', additionalProperties: false },
)

export type Figure = { value: number | null; unit: string }

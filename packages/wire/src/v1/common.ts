import { type TSchema, Type } from 'typebox'
import { about, FORM } from '../about.ts'

export const NullableNumber = Type.Union([Type.Number(), Type.Null()])
export const NullableInteger = Type.Union([Type.Integer(), Type.Null()])
export const NullableString = Type.Union([Type.String(), Type.Null()])

/** The version 1 identifier of a space, a building or a site. */
export const LegacyId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** Local time of the site with its offset, such as 2026-01-05T00:00:00+00:00. */
export const LocalTime = Type.String({ format: 'date-time', examples: ['2026-11-16T09:00:00+00:00'] })
export const NullableTime = Type.Union([LocalTime, Type.Null()])

/** A calendar day in the site's time zone. */
export const Day = Type.String({
  format: 'date',
  description: 'A calendar day in the site’s time zone.',
  examples: ['2026-11-15'],
})
/** A calendar month in the site's time zone, such as 2026-09. */
export const Month = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}$',
  [FORM]: 'a month such as 2026-11',
  description: 'A calendar month in the site’s time zone.',
  examples: ['2026-11'],
})

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

/** Descriptions of the fields that are named after metrics. */
const METRIC_WORDS: Record<(typeof V1_UTILITIES | typeof V1_ENVIRONMENT)[number], string> = {
  electricity: 'Electricity',
  gas: 'Gas',
  water: 'Cold water',
  hotwater: 'Hot water',
  heating: 'Heating',
  cooling: 'Cooling',
  solar: 'Solar generation',
  temperature: 'Air temperature',
  humidity: 'Relative humidity',
  co2: 'Carbon dioxide',
  voc: 'Volatile organic compounds',
  pm25: 'Particulate matter PM2.5',
  noise: 'Sound level',
  light: 'Illuminance',
  pressure: 'Air pressure',
  occupancy: 'People present',
  motion: 'Motion',
}

/** One optional field per metric: only those that the space measures are present. Examples show the first one. */
export const perMetric = <N extends keyof typeof METRIC_WORDS, T extends TSchema>(
  names: readonly N[],
  value: T,
  example: unknown,
) =>
  Object.fromEntries(
    names.map((name, index) => [
      name,
      Type.Optional(
        about(
          value,
          `${METRIC_WORDS[name]}; absent if the space does not measure it.`,
          ...(index === 0 ? [example] : []),
        ),
      ),
    ]),
  ) as Record<N, ReturnType<typeof Type.Optional<T>>>

export const unit = (example: string) =>
  Type.String({ description: 'The unit of the value.', examples: [example] })

export const Figure = Type.Object(
  { value: about(NullableNumber, 'The value; null without data, never 0.', 0.34), unit: unit('kWh') },
  { title: 'Figure', additionalProperties: false, description: 'A value and its unit.' },
)

export type Figure = { value: number | null; unit: string }

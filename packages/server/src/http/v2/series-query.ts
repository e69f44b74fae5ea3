import { Type } from 'typebox'
import { COMPARISONS } from '../../domain/telemetry/series/compare.ts'

const Time = Type.Optional(
  Type.String({
    maxLength: 40,
    description:
      'A date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone.',
  }),
)

export const rangeQuery = { fromDateTime: Time, toDateTime: Time }

export const compareQuery = Type.Optional(Type.Enum([...COMPARISONS]))

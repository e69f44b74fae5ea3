import { Type } from 'typebox'
import { FORM } from '../about.ts'

const day = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      [FORM]: `a date such as ${example}`,
      description,
      examples: [example],
    }),
  )

/** The range of a history, in calendar days of the site. */
export const RangeQuery = Type.Object(
  {
    from: day('First day of the range, inclusive.', '2026-11-01'),
    to: day('End of the range, exclusive.', '2026-11-16'),
  },
  { additionalProperties: false },
)

export interface RangeQuery {
  from?: string
  to?: string
}

import { Type } from 'typebox'

const day = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description }))

/** The range of a history, in calendar days of the site. */
export const RangeQuery = Type.Object(
  {
    from: day('A date such as 2026-01-05, inclusive.'),
    to: day('A date such as 2026-01-06, exclusive.'),
  },
  { additionalProperties: false },
)

export interface RangeQuery {
  from?: string
  to?: string
}

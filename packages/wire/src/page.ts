import { type TSchema, Type } from 'typebox'

export const Pagination = Type.Object(
  {
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Send it as cursor to get the next page.',
    }),
    hasMore: Type.Boolean(),
  },
  { title: 'Pagination', additionalProperties: false },
)

/** The body of every list. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), pagination: Pagination }, { additionalProperties: false })

/** Query parameters of every list. Strings, because query parameters are text; the pattern says what is allowed. */
export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.String({ pattern: '^([1-9][0-9]{0,2}|1000)$', description: 'From 1 to 1000.' }),
    ),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: 'nextCursor of the previous page.' }),
    ),
  },
  { additionalProperties: false },
)

/** For paths without query parameters: unknown parameters are rejected everywhere. */
export const NoQuery = Type.Object({}, { additionalProperties: false })

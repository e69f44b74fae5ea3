import { type TSchema, Type } from 'typebox'
import { about, DESCRIBED_AS } from './about.ts'
import { EXAMPLE } from './example-ids.ts'

export const Pagination = Type.Object(
  {
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Send it as cursor to get the next page; null on the last page.',
      examples: [null],
    }),
    hasMore: Type.Boolean({ description: 'Whether there are more pages.', examples: [false] }),
  },
  { title: 'Pagination', additionalProperties: false, description: 'Where the next page starts.' },
)

/** The body of every list. Its title is that of its records with `Page`. */
export const Page = <T extends TSchema & { title?: string }>(item: T) => {
  if (item.title === undefined) throw new Error('The records of a page need a title.')
  return Type.Object(
    {
      data: Type.Array(item, { description: 'The records of the page.' }),
      pagination: about(Pagination, 'Where the next page starts.'),
    },
    {
      title: `${item.title}Page`,
      additionalProperties: false,
      description: `A list of ${item.title} records, or one page of it.`,
    },
  )
}

/** Query parameters of every list. Strings, because query parameters are text; the pattern says what is allowed. */
export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9][0-9]{0,2}|1000)$',
        description: 'Maximum number of records per page, from 1 to 1000.',
        examples: [100],
        [DESCRIBED_AS]: { type: 'integer', minimum: 1, maximum: 1000 },
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'nextCursor of the previous page. It is valid only with the same filters.',
        examples: [EXAMPLE.cursor],
      }),
    ),
  },
  { additionalProperties: false },
)

/** For paths without query parameters: unknown parameters are rejected everywhere. */
export const NoQuery = Type.Object({}, { additionalProperties: false })

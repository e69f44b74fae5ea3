import { Type } from 'typebox'

export const ReadingsReport = Type.Object(
  {
    accepted: Type.Integer({ description: 'Number of new readings.' }),
    replaced: Type.Integer({
      description: 'Number of readings that replaced another value at the same time.',
    }),
    unchanged: Type.Integer({ description: 'Number of readings that were already stored.' }),
    refused: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ description: 'The line, or the position in the array, from 1.' }),
          code: Type.String(),
          message: Type.String(),
        },
        { additionalProperties: false },
      ),
      { description: 'The first 1,000.' },
    ),
    refusedCount: Type.Integer(),
  },
  { title: 'ReadingsReport', additionalProperties: false },
)

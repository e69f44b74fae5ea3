import { Type } from 'typebox'

export const ReadingsReport = Type.Object(
  {
    accepted: Type.Integer({ description: 'Readings that are new.' }),
    replaced: Type.Integer({ description: 'Readings in the place of another value at the same instant.' }),
    unchanged: Type.Integer({ description: 'Readings that were there already.' }),
    refused: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ description: 'The line, or the place in the array, from 1.' }),
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

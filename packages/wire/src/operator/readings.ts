import { type Static, Type } from 'typebox'

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

export type ReadingsReport = Static<typeof ReadingsReport>

/** A completed import of a file, for the audit log. */
export const ReadingsImport = Type.Object(
  {
    file: Type.String({ minLength: 1, maxLength: 1000, description: 'Name of the file.' }),
    accepted: Type.Integer({ minimum: 0 }),
    replaced: Type.Integer({ minimum: 0 }),
    unchanged: Type.Integer({ minimum: 0 }),
    refusedCount: Type.Integer({ minimum: 0 }),
    isInterrupted: Type.Optional(Type.Boolean({ description: 'Whether the import stopped before the end.' })),
  },
  { title: 'ReadingsImport', additionalProperties: false },
)

export type ReadingsImport = Static<typeof ReadingsImport>

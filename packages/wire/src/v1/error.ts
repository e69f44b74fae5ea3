import { type Static, Type } from 'typebox'
import { EXAMPLE } from '../example-ids.ts'

/** The error body of version 1. */
export const V1Error = Type.Object(
  {
    status: Type.Integer({ description: 'The HTTP status.', examples: [404] }),
    message: Type.String({
      description: 'What is wrong with this request.',
      examples: ['There is no such space.'],
    }),
    traceId: Type.String({
      format: 'uuid',
      description: 'Also in the X-Request-Id header and in the log.',
      examples: [EXAMPLE.traceId],
    }),
  },
  { title: 'Error', additionalProperties: false, description: 'An error of version 1.' },
)

export type V1Error = Static<typeof V1Error>

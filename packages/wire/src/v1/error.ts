import { type Static, Type } from 'typebox'

/** The error body of version 1. */
export const V1Error = Type.Object(
  {
    status: Type.Integer(),
    message: Type.String(),
    traceId: Type.String({ format: 'uuid', description: 'Also in the X-Request-Id header and in the log.' }),
  },
  { title: 'Error', additionalProperties: false },
)

export type V1Error = Static<typeof V1Error>

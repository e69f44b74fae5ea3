import { type Static, Type } from 'typebox'

export const FieldError = Type.Object(
  {
    field: Type.String({ description: 'The invalid field; nested fields are separated by dots.' }),
    code: Type.String({ description: 'Stable, in kebab-case.' }),
    message: Type.String({ description: 'What is wrong and what is allowed.' }),
  },
  { title: 'FieldError', additionalProperties: false },
)

/** RFC 9457: the error body of every surface except the token endpoint and version 1. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'A page of this server that explains the error.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: 'The path of the request.' }),
    traceId: Type.String({ format: 'uuid', description: 'Also in the X-Request-Id header and in the log.' }),
    errors: Type.Array(FieldError),
  },
  { title: 'Problem', additionalProperties: false, description: 'Problem details (RFC 9457)' },
)

export type Problem = Static<typeof Problem>

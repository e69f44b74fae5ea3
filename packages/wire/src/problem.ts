import { type Static, Type } from 'typebox'
import { EXAMPLE } from './example-ids.ts'

export const FieldError = Type.Object(
  {
    field: Type.String({
      description: 'The invalid field; nested fields are separated by dots.',
      examples: ['fromDateTime'],
    }),
    code: Type.String({
      description: 'Stable, in kebab-case; the page /errors of this server lists all of them.',
      examples: ['out-of-range'],
    }),
    message: Type.String({
      description: 'What is wrong and what is allowed.',
      examples: ['must be before toDateTime'],
    }),
  },
  { title: 'FieldError', additionalProperties: false, description: 'A field that is invalid, and why.' },
)

/** RFC 9457: the error body of every surface except the token endpoint and version 1. */
export const Problem = Type.Object(
  {
    type: Type.String({
      format: 'uri',
      description: 'A page of this server that explains the error.',
      examples: ['https://api.example.com/errors/not-found'],
    }),
    title: Type.String({ description: 'The name of the error.', examples: ['Not found'] }),
    status: Type.Integer({ description: 'The HTTP status.', examples: [404] }),
    detail: Type.String({
      description: 'What is wrong with this request.',
      examples: ['There is no such space.'],
    }),
    instance: Type.String({ description: 'The path of the request.', examples: ['/v2/spaces'] }),
    traceId: Type.String({
      format: 'uuid',
      description: 'Also in the X-Request-Id header and in the log.',
      examples: [EXAMPLE.traceId],
    }),
    errors: Type.Array(FieldError, {
      description: 'The invalid fields; empty if the error is not about particular fields.',
      examples: [[]],
    }),
  },
  { title: 'Problem', additionalProperties: false, description: 'Problem details (RFC 9457)' },
)

export type Problem = Static<typeof Problem>

import { type Static, Type } from 'typebox'

/** The response of the token endpoint: these four fields and no others. */
export const TokenResponse = Type.Object(
  {
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer(),
    ext_expires_in: Type.Integer(),
    access_token: Type.String(),
  },
  { additionalProperties: false },
)

export type TokenResponse = Static<typeof TokenResponse>

/** The issuer's own error body, which differs from the API's. */
export const TokenErrorBody = Type.Object(
  {
    error: Type.String(),
    error_description: Type.String(),
    error_codes: Type.Array(Type.Integer()),
    timestamp: Type.String({ format: 'date-time' }),
    trace_id: Type.String({ format: 'uuid' }),
    correlation_id: Type.String({ format: 'uuid' }),
    error_uri: Type.Optional(Type.String({ format: 'uri' })),
  },
  { additionalProperties: false },
)

export type TokenErrorBody = Static<typeof TokenErrorBody>

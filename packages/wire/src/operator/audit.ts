import { type Static, Type } from 'typebox'
import { Instant } from '../uuid.ts'

export const AuditEntry = Type.Object(
  {
    id: Type.Integer(),
    at: Instant,
    actor: Type.Object(
      {
        kind: Type.Enum(['partner', 'command-line', 'server']),
        id: Type.Union([Type.String(), Type.Null()]),
        name: Type.String(),
        traceId: Type.Union([Type.String(), Type.Null()]),
      },
      { additionalProperties: false },
    ),
    action: Type.String(),
    target: Type.String(),
    detail: Type.Object({}, { additionalProperties: true }),
  },
  { title: 'AuditEntry', additionalProperties: false },
)

export type AuditEntry = Static<typeof AuditEntry>

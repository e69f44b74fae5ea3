import { type Static, Type } from 'typebox'
import { Instant, Uuid } from '../uuid.ts'
import { v1EndpointFields } from '../v2/migration.ts'

export const V1Caller = Type.Object(
  {
    partnerUuid: Uuid,
    partnerName: Type.String(),
    ...v1EndpointFields,
    calls: Type.Integer({ minimum: 1, description: 'All calls, whatever their status.' }),
    failed: Type.Integer({ minimum: 0, description: 'Calls with a 4xx or 5xx response.' }),
    lastSeenAt: Instant,
  },
  { title: 'V1Caller', additionalProperties: false },
)

export type V1Caller = Static<typeof V1Caller>

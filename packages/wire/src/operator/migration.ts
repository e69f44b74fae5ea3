import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Instant, Uuid } from '../uuid.ts'
import { v1EndpointFields } from '../v2/migration.ts'

export const V1Caller = Type.Object(
  {
    partnerUuid: about(Uuid, 'The partner that calls the endpoint.', EXAMPLE.partnerUuid),
    partnerName: Type.String({ description: 'The name of the partner.', examples: ['Residents’ app'] }),
    ...v1EndpointFields,
    calls: Type.Integer({ minimum: 1, description: 'All calls, whatever their status.', examples: [1440] }),
    failed: Type.Integer({ minimum: 0, description: 'Calls with a 4xx or 5xx response.', examples: [3] }),
    lastSeenAt: about(Instant, 'Time of the last call.', '2026-11-15T03:32:28.000Z'),
  },
  { title: 'V1Caller', additionalProperties: false, description: 'A partner’s calls to an endpoint.' },
)

export const V1Day = Type.Object(
  {
    day: about(Type.String({ format: 'date' }), 'The day, in UTC.', '2026-11-15'),
    calls: Type.Integer({ minimum: 0, description: 'All calls, whatever their status.', examples: [2880] }),
    failed: Type.Integer({ minimum: 0, description: 'Calls with a 4xx or 5xx response.', examples: [6] }),
    partners: Type.Integer({ minimum: 0, description: 'Partners that called.', examples: [2] }),
  },
  { title: 'V1Day', additionalProperties: false, description: 'The calls to version 1 on one day.' },
)

export type V1Day = Static<typeof V1Day>

export type V1Caller = Static<typeof V1Caller>

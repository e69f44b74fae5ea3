import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Instant, Uuid } from '../uuid.ts'

export const RejectedMessage = Type.Object(
  {
    at: about(Instant, 'When it arrived.', '2026-11-15T10:00:00.000Z'),
    topic: Type.String({
      description: 'The topic of the message.',
      examples: [`portico/v1/${EXAMPLE.siteUuid}/${EXAMPLE.meterUuid}/readings`],
    }),
    reason: Type.String({
      description: 'A code such as not-json or unknown-device.',
      examples: ['not-json'],
    }),
    message: Type.String({
      description: 'What is wrong; for a partly rejected message, also how many records.',
      examples: ['The payload is not JSON.'],
    }),
    payload: Type.String({
      description: 'The first 256 bytes as text; bytes that are not text are shown as \\xNN.',
      examples: ['hello'],
    }),
    payloadBytes: Type.Integer({ description: 'The size of the whole payload.', examples: [5] }),
    gatewayUuid: Type.Union([Uuid, Type.Null()], {
      description: 'The account of the sender; null if an external broker authenticated it.',
      examples: [EXAMPLE.gatewayUuid],
    }),
  },
  { title: 'RejectedMessage', additionalProperties: false, description: 'A message that was not accepted.' },
)

export type RejectedMessage = Static<typeof RejectedMessage>

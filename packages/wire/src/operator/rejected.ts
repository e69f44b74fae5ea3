import { type Static, Type } from 'typebox'
import { Instant, Uuid } from '../uuid.ts'

export const RejectedMessage = Type.Object(
  {
    at: Instant,
    topic: Type.String(),
    reason: Type.String({ description: 'A code such as not-json or unknown-device.' }),
    message: Type.String({
      description: 'What is wrong; for a partly rejected message, also how many records.',
    }),
    payload: Type.String({
      description: 'The first 256 bytes as text; bytes that are not text are shown as \\xNN.',
    }),
    payloadBytes: Type.Integer({ description: 'The size of the whole payload.' }),
    gatewayUuid: Type.Union([Uuid, Type.Null()], {
      description: 'The account of the sender; null if an external broker authenticated it.',
    }),
  },
  { title: 'RejectedMessage', additionalProperties: false },
)

export type RejectedMessage = Static<typeof RejectedMessage>

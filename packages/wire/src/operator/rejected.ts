import { type Static, Type } from 'typebox'
import { Instant, Uuid } from '../uuid.ts'

export const RejectedMessage = Type.Object(
  {
    at: Instant,
    topic: Type.String(),
    reason: Type.String({ description: 'A code such as not-json or unknown-device.' }),
    message: Type.String({ description: 'What is wrong, and of a partly refused message how much of it.' }),
    payload: Type.String({
      description: 'The first 256 bytes as text; a byte that is no text is shown as \\xNN.',
    }),
    payloadBytes: Type.Integer({ description: 'The size of the whole payload.' }),
    gatewayUuid: Type.Union([Uuid, Type.Null()], {
      description: 'The account it came from; null where an outside broker knows it alone.',
    }),
  },
  { title: 'RejectedMessage', additionalProperties: false },
)

export type RejectedMessage = Static<typeof RejectedMessage>

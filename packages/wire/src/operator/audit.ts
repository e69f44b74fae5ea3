import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Instant } from '../uuid.ts'

export const AuditEntry = Type.Object(
  {
    id: Type.Integer({ description: 'The number of the entry; newer ones are greater.', examples: [1284] }),
    at: about(Instant, 'When it happened.', '2026-11-16T09:30:00.000Z'),
    actor: about(
      Type.Object(
        {
          kind: Type.Enum(['partner', 'command-line', 'server'], { description: 'What acted.' }),
          id: Type.Union([Type.String(), Type.Null()], {
            description: 'The partnerUuid of a partner; null otherwise.',
            examples: [EXAMPLE.partnerUuid],
          }),
          name: Type.String({
            description: 'The name of the partner, or of the user of the command line.',
            examples: ['Platform team'],
          }),
          traceId: Type.Union([Type.String(), Type.Null()], {
            description: 'The X-Request-Id of the request; null without a request.',
            examples: [EXAMPLE.traceId],
          }),
        },
        {
          title: 'Actor',
          additionalProperties: false,
          description: 'A partner, a user of the command line, or the server.',
        },
      ),
      'What made the change.',
    ),
    action: Type.String({ description: 'What was done.', examples: ['partner.added'] }),
    target: Type.String({ description: 'What it was done to.', examples: [EXAMPLE.partnerUuid] }),
    detail: Type.Object(
      {},
      { additionalProperties: true, description: 'More about the change; depends on the action.' },
    ),
  },
  { title: 'AuditEntry', additionalProperties: false, description: 'A change and who made it.' },
)

export type AuditEntry = Static<typeof AuditEntry>

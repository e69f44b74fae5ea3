import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Uuid } from '../uuid.ts'
import { Webhook } from '../v2/webhook.ts'

export const OperatorWebhook = Type.Object(
  {
    partnerUuid: about(Uuid, 'The partner that it belongs to.', EXAMPLE.partnerUuid),
    ...Webhook.properties,
  },
  { title: 'OperatorWebhook', additionalProperties: false, description: 'A webhook of a partner.' },
)

export type OperatorWebhook = Static<typeof OperatorWebhook>

export const WebhookStateChange = Type.Object(
  {
    state: Type.Enum(['enabled', 'disabled'], {
      description: 'enabled: deliveries continue where they stopped.',
      examples: ['disabled'],
    }),
  },
  {
    title: 'WebhookStateChange',
    additionalProperties: false,
    description: 'Whether the webhook is enabled.',
  },
)

import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import type { WebhookCaller, WebhookService } from '../../../domain/webhook/service.ts'
import { AppError } from '../../../kernel/errors.ts'
import { role, type WithCaller } from '../../pipeline/gates.ts'
import type { Services } from '../../services.ts'
import { PARTNER_GATES } from '../surface.ts'

export const WEBHOOK_GATES = [...PARTNER_GATES, role('Webhooks.Manage')] as const

/** Errors that every route here can return. */
export const WEBHOOK_ERRORS = ['forbidden', 'webhooks-off', 'rate-limited'] as const

export const WebhookParams = Type.Object({
  webhookUuid: about(Uuid, 'The webhookUuid of a webhook, from GET /webhooks.', EXAMPLE.webhookUuid),
})

export function requireWebhooks({ webhooks }: Pick<Services, 'webhooks'>): WebhookService {
  if (!webhooks) throw new AppError('webhooks-off', 'This installation sends no webhooks.')
  return webhooks
}

export const toWebhookCaller = ({ caller, id }: WithCaller & { id: string }): WebhookCaller => ({
  partner: caller,
  actor: { kind: 'partner', id: caller.partnerUuid, name: caller.name, traceId: id },
})

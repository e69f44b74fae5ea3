import { NoQuery } from '@portico/wire/page'
import { WebhookTest } from '@portico/wire/v2/webhook'
import { isSuccess } from '../../../domain/webhook/rules.ts'
import { getRetryAfterSeconds } from '../../../domain/identity/rate-limit/limits.ts'
import { AppError } from '../../../kernel/errors.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { requireWebhooks, toWebhookCaller, WEBHOOK_ERRORS, WEBHOOK_GATES, WebhookParams } from './webhook.ts'

const PER_MINUTE = 10
const WINDOWS = [{ limit: PER_MINUTE, ms: 60_000 }]

export const testWebhook = defineRoute({
  method: 'POST',
  path: '/webhooks/{webhookUuid}/test',
  operationId: 'testWebhook',
  summary: 'Send a test to a webhook',
  description:
    'Sends an event of type `webhook.test` and returns the response of the endpoint, within 15 seconds. It is not ' +
    'retried, and does not affect the state of the webhook. At most 10 tests a minute.',
  tags: ['Webhooks'],
  gates: WEBHOOK_GATES,
  params: WebhookParams,
  query: NoQuery,
  produces: jsonAlways(200, 'The result', WebhookTest),
  errors: [...WEBHOOK_ERRORS, 'not-found'],
  async handle(call, services: Pick<Services, 'webhooks' | 'limits' | 'isRateLimited'>) {
    const webhooks = requireWebhooks(services)
    await countTest(services, call.caller.partnerUuid)
    const { status, error, durationMs, response } = await webhooks.test(
      toWebhookCaller(call),
      call.params.webhookUuid.toLowerCase(),
    )
    const delivered = status !== null && isSuccess(status)
    return jsonReply({ delivered, status, durationMs, error, response } satisfies WebhookTest)
  },
})

async function countTest(
  { limits, isRateLimited }: Pick<Services, 'limits' | 'isRateLimited'>,
  partnerUuid: string,
): Promise<void> {
  if (!isRateLimited) return
  const verdicts = await limits.consume({ kind: 'webhook-tests', key: partnerUuid, windows: WINDOWS })
  const retryAfterSeconds = getRetryAfterSeconds(verdicts)
  if (retryAfterSeconds === undefined) return
  throw new AppError('rate-limited', `At most ${PER_MINUTE} tests per minute.`, { retryAfterSeconds })
}

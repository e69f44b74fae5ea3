import type { OperatorWebhook } from '@portico/wire/operator/webhook'
import type { Command } from '../command.ts'
import { table } from '../output.ts'

const describeState = ({ state, reason, failingSince }: OperatorWebhook): string => {
  if (reason !== null) return `${state} (${reason})`
  return failingSince === null ? state : `failing since ${failingSince}`
}

export const command: Command = {
  async run({ connect, out }) {
    await using operator = await connect()
    const webhooks = await operator.listWebhooks()
    const rows = webhooks.map((webhook) => [
      webhook.webhookUuid,
      webhook.partnerUuid,
      describeState(webhook),
      String(webhook.waiting),
      webhook.lastDeliveredAt ?? '-',
      webhook.url,
    ])
    out.result(
      { data: webhooks },
      rows.length === 0
        ? 'There are no webhooks. Partners add them with POST /v2/webhooks.'
        : table(['webhook', 'partner', 'state', 'waiting', 'last delivered', 'url'], rows),
    )
    return 0
  },
}

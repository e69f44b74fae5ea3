import { type Command, positional } from '../command.ts'
import { readUuid } from '../values.ts'

const setState = (state: 'enabled' | 'disabled'): Command => ({
  parameters: 'WEBHOOK',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const webhookUuid = readUuid(positional(call, 0), 'WEBHOOK')
    await using operator = await call.connect()
    const webhook = await operator.setWebhookState(webhookUuid, state)
    call.out.result(webhook, `The webhook to ${webhook.url} is ${webhook.state}.`)
    return 0
  },
})

export const enable = setState('enabled')

export const disable = setState('disabled')

import { type AuditEntry, SERVER } from '../identity/audit.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { DISABLED_AFTER_MS, getProbeDelayMs, MAX_CONCURRENT, MAX_FAILURES_IN_A_ROW } from './rules.ts'
import type { WebhookStore } from './store.ts'
import { type DisabledReason, HEALTHY, type Webhook } from './webhook.ts'

/**
 * The state of endpoints that this process keeps in memory, in addition to what is stored. A webhook that was changed
 * after a request began is not affected by its result: the request may have gone to another address.
 */
export interface EndpointHealth {
  /** How many requests may be in flight. */
  getConcurrency(webhookUuid: string): number
  /** Counts a failure; returns whether there were too many in a row. */
  countFailure(webhookUuid: string): boolean
  lastSuccessAt(webhookUuid: string): number
  /** To be called after each 2xx. A webhook that was failing becomes healthy, and everything that waits is due. */
  succeeded(webhook: Webhook): Promise<void>
  /** The endpoint is failing: it is probed after `delayMs`. */
  startFailing(webhook: Webhook, delayMs?: number): Promise<void>
  /** Reserves the probe that is due; false if another instance has reserved it. */
  takeProbe(webhook: Webhook): Promise<boolean>
  /** To be called after a probe that failed. `delayMs` is set if the endpoint sent Retry-After. */
  probeFailed(webhook: Webhook, delayMs?: number): Promise<void>
  disable(webhook: Webhook, reason: DisabledReason): Promise<void>
}

interface Memory {
  failures: number
  concurrency: number
  successAt: number
}

export function createEndpointHealth(deps: {
  store: Pick<WebhookStore, 'update' | 'makeDue'>
  clock: Clock
  log: Log
  /** Called when a stored webhook has changed. */
  onChange(): void
}): EndpointHealth {
  const { store, clock, log, onChange } = deps
  const memories = new Map<string, Memory>()
  const remember = (webhookUuid: string): Memory => {
    let memory = memories.get(webhookUuid)
    if (!memory)
      memories.set(webhookUuid, (memory = { failures: 0, concurrency: MAX_CONCURRENT, successAt: 0 }))
    return memory
  }

  const disable = async (webhook: Webhook, reason: DisabledReason): Promise<void> => {
    const { webhookUuid, partnerUuid, url, updatedAt } = webhook
    const now = clock.now()
    const entry: AuditEntry = {
      at: now,
      actor: SERVER,
      action: 'webhook.disabled',
      target: webhookUuid,
      detail: { reason, partnerUuid, url },
    }
    const changes = { state: 'disabled', reason, probeAt: null, updatedAt: now } as const
    if (await store.update(webhookUuid, { state: 'enabled', updatedAt }, changes, entry))
      log.warn({ webhookUuid, partnerUuid, reason }, 'a webhook was disabled')
    onChange()
  }

  return {
    getConcurrency: (webhookUuid) => remember(webhookUuid).concurrency,
    countFailure(webhookUuid) {
      const memory = remember(webhookUuid)
      memory.failures += 1
      return memory.failures >= MAX_FAILURES_IN_A_ROW
    },
    lastSuccessAt: (webhookUuid) => remember(webhookUuid).successAt,
    async succeeded(webhook) {
      const { webhookUuid, failingSince } = webhook
      const memory = remember(webhookUuid)
      memory.failures = 0
      memory.successAt = clock.now()
      memory.concurrency = Math.min(memory.concurrency * 2, MAX_CONCURRENT)
      if (failingSince === null) return
      memory.concurrency = 1
      if (await store.update(webhookUuid, { failingSince }, HEALTHY)) {
        await store.makeDue(webhookUuid, clock.now())
        log.info({ webhookUuid }, 'the endpoint of a webhook has recovered')
      }
      onChange()
    },
    async startFailing({ webhookUuid, partnerUuid, updatedAt }, delayMs = getProbeDelayMs(0)) {
      const now = clock.now()
      const memory = remember(webhookUuid)
      memory.failures = 0
      memory.concurrency = 1
      const changes = { failingSince: now, probeAt: now + delayMs, probes: 0 }
      if (await store.update(webhookUuid, { failingSince: null, state: 'enabled', updatedAt }, changes))
        log.warn({ webhookUuid, partnerUuid }, 'the endpoint of a webhook is failing')
      onChange()
    },
    async takeProbe({ webhookUuid, failingSince, probeAt, probes, updatedAt }) {
      const changes = { probes: probes + 1, probeAt: clock.now() + getProbeDelayMs(probes + 1) }
      const taken = await store.update(
        webhookUuid,
        { state: 'enabled', failingSince, probeAt, probes, updatedAt },
        changes,
      )
      onChange()
      return taken !== undefined
    },
    async probeFailed(webhook, delayMs) {
      const { webhookUuid, failingSince } = webhook
      const now = clock.now()
      if (failingSince !== null && now - failingSince >= DISABLED_AFTER_MS) return disable(webhook, 'failing')
      if (delayMs !== undefined) await store.update(webhookUuid, { failingSince }, { probeAt: now + delayMs })
      onChange()
      return undefined
    },
    disable,
  }
}

import { EVENT_VERSION, toEventText } from '../event/log.ts'
import { type Clock, isoInstant, stopwatch, toSeconds } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import type { OutgoingHttp, OutgoingResult } from '../../kernel/outgoing-http.ts'
import { getVersion } from '../../kernel/version.ts'
import type { ClaimedDelivery } from './delivery.ts'
import { signMessage } from './secret.ts'
import type { Webhook } from './webhook.ts'

const TIMEOUT_MS = 15_000

/** The result of a request to an endpoint. */
export interface RequestResult {
  result: OutgoingResult
  at: number
  durationMs: number
}

/** Sends signed requests to the endpoints of webhooks. */
export interface Sender {
  sendDelivery(webhook: Webhook, delivery: ClaimedDelivery): Promise<RequestResult>
  /** Sends a message that concerns the webhook itself. It is not in the log, and neither retried nor replayed. */
  sendNotice(
    webhook: Webhook,
    type: 'webhook.test' | 'webhook.heartbeat',
    data: object,
  ): Promise<RequestResult>
  close(): void
}

export function createSender(deps: {
  outgoing: OutgoingHttp
  installationKey(): Uint8Array
  publicUrl: string
  clock: Clock
}): Sender {
  const { outgoing, clock } = deps
  const userAgent = `Portico/${getVersion()} (+${deps.publicUrl})`

  const send = async (
    webhook: Webhook,
    { id, body, headers }: { id: string; body: string; headers: Record<string, string> },
  ): Promise<RequestResult> => {
    const at = clock.now()
    const startedAt = stopwatch()
    const timestampSeconds = toSeconds(at)
    const result = await outgoing.post(new URL(webhook.url), {
      body,
      timeoutMs: TIMEOUT_MS,
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        'webhook-id': id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': signMessage(deps.installationKey(), webhook, { id, timestampSeconds, body }, at),
        'portico-webhook': webhook.webhookUuid,
        ...headers,
      },
    })
    return { result, at, durationMs: Math.round(stopwatch() - startedAt) }
  }

  return {
    sendDelivery: (webhook, { event, tries, isLate }) =>
      send(webhook, {
        id: event.eventUuid,
        body: toEventText(event),
        headers: { 'portico-try': String(tries + 1), ...(isLate && { 'portico-late': 'true' }) },
      }),
    sendNotice(webhook, type, data) {
      const eventUuid = newUuid()
      const timestamp = isoInstant(clock.now())
      const body = JSON.stringify({ eventUuid, type, version: EVENT_VERSION, timestamp, data })
      return send(webhook, { id: eventUuid, body, headers: { 'portico-try': '1' } })
    },
    close: () => outgoing.close(),
  }
}

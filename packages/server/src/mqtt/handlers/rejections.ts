import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Rejection } from '../../domain/telemetry/reading/validate.ts'
import type { RejectedMessage, RejectedStore } from '../../domain/telemetry/ingest/rejected.ts'
import type { MqttMessage } from '../brokers/broker.ts'
import { toPayloadPreview } from '../payload-preview.ts'

/** A topic may be 64 KiB long; this much tells what it was. */
const SHOWN_TOPIC = 512
/** In one write, and at most so many waiting for it: of a flood above that the oldest are counted only. */
const MAX_WAITING = 2_000

export interface Rejections {
  /** Counts a refused message and keeps it where the operator sees it; resolves when it is kept. */
  add(message: MqttMessage, refusal: Rejection): Promise<void>
}

/** What is refused while a write is under way is kept together by the next one. */
export function createRejections(deps: {
  store: RejectedStore
  clock: Clock
  log: Log
  metrics: Pick<Metrics, 'mqttRejected'>
}): Rejections {
  const { store, clock, log, metrics } = deps
  let waiting: { entry: RejectedMessage; done(): void }[] = []
  let isWriting = false

  const write = async (): Promise<void> => {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      // Kept to help someone find a fault: when that fails, the sender is not made to wait for it.
      await store
        .add(batch.map(({ entry }) => entry))
        .catch((err: unknown) => log.warn({ err, count: batch.length }, 'rejected messages were not kept'))
      for (const { done } of batch) done()
    }
    isWriting = false
  }

  return {
    add({ topic, payload, payloadBytes, gateway }, { code, message }) {
      metrics.mqttRejected.inc({ reason: code })
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({
        entry: {
          at: clock.now(),
          // A client that does not keep to the protocol may put a zero character there, and not every store keeps one.
          topic: topic.slice(0, SHOWN_TOPIC).replaceAll('\0', '\\x00'),
          reason: code,
          message,
          payload: toPayloadPreview(payload),
          payloadBytes,
          gatewayUuid: gateway?.gatewayUuid ?? null,
        },
        done: resolve,
      })
      if (waiting.length > MAX_WAITING) waiting.shift()?.done()
      if (!isWriting) void write()
      return promise
    },
  }
}

import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Rejection } from '../../domain/telemetry/reading/validate.ts'
import type { RejectedMessage, RejectedStore } from '../../domain/telemetry/ingest/rejected.ts'
import { type MqttMessage, PREVIEW_BYTES } from '../brokers/broker.ts'
import { byteAt } from '../../kernel/at.ts'

/** A topic may be 64 KiB long; this much identifies it. */
const SHOWN_TOPIC = 512
/** Rejections that may wait for the next write. In a flood beyond that, the oldest are only counted. */
const MAX_WAITING = 2_000

export interface Rejections {
  /** Counts a rejected message and stores it for the operator; resolves when it is stored. */
  add(message: MqttMessage, rejection: Rejection): Promise<void>
}

/** Messages rejected while a write is in progress are stored together by the next one. */
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
      // The list is a diagnostic aid: if it cannot be stored, the sender must not wait for it.
      await store
        .add(batch.map(({ entry }) => entry))
        .catch((err: unknown) =>
          log.warn({ err, count: batch.length }, 'rejected messages could not be stored'),
        )
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
          // A client that violates the protocol may send U+0000 in a topic, and not every store accepts it.
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

/** The first bytes as text; bytes that are not text are shown as `\xff`. */
function toPayloadPreview(payload: Uint8Array): string {
  const bytes = payload.subarray(0, PREVIEW_BYTES)
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let shown = ''
  let index = 0
  while (index < bytes.length) {
    const length = lengthOfCharacter(byteAt(bytes, index))
    const character = decode(decoder, bytes.subarray(index, index + length))
    shown += character ?? toHex(byteAt(bytes, index))
    index += character === undefined ? 1 : length
  }
  return shown
}

const isControl = (byte: number): boolean => (byte < 0x20 && ![9, 10, 13].includes(byte)) || byte === 0x7f

const toHex = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`

const lengthOfCharacter = (lead: number): number => (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4)

function decode(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  if (bytes.length === 1 && isControl(byteAt(bytes, 0))) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

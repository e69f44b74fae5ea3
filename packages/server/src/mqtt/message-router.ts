import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Rejection } from '../domain/telemetry/reading/validate.ts'
import { FORBIDDEN_TOPIC } from '../domain/telemetry/ingest/rejected.ts'
import { type MqttMessage, MAX_PAYLOAD_BYTES, type ReceiveMessage } from './brokers/broker.ts'
import type { Rejections } from './handlers/rejections.ts'
import { createMessageLanes, type HandlerResult } from './message-lanes.ts'
import { isNonCanonical, belongsToSite, parseTopic, type Topic, type TopicKind } from './topics.ts'

/**
 * Handles one kind of message. It is retried if it throws, so it must be idempotent. `receivedAt` is the time of
 * arrival, however long the message has waited since, because messages of different devices may overtake each other.
 */
export type Handler = (topic: Topic, message: MqttMessage, receivedAt: number) => Promise<HandlerResult>

export type Handlers = Partial<Record<TopicKind, Handler>>

const TOO_LARGE = {
  code: 'too-large',
  message: `A message may have at most ${MAX_PAYLOAD_BYTES / 1024} KiB.`,
}
const UNKNOWN_TOPIC = { code: 'unknown-topic', message: 'The server does not use this topic.' }
const NON_CANONICAL = {
  code: 'non-canonical-topic',
  message: 'UUIDs in a topic must be in lower case.',
}
const FOREIGN = { code: FORBIDDEN_TOPIC, message: 'The account may use only the topics of its own site.' }
const FORGED = { code: FORBIDDEN_TOPIC, message: 'Only the server may publish commands.' }

/** Validates the topic of every message from any broker, passes it to its handler, and counts it. */
export function createMessageRouter(deps: {
  handlers: Handlers
  rejections: Rejections
  clock: Clock
  log: Log
  metrics: Pick<Metrics, 'mqttMessages'>
  /** Aborts waiting for an unavailable store. */
  signal: AbortSignal
}): ReceiveMessage {
  const { handlers, rejections, clock, log, metrics, signal } = deps
  const lanes = createMessageLanes({ log, signal })

  return async (message) => {
    const topic = parseTopic(message.topic)
    metrics.mqttMessages.inc({ kind: topic?.kind ?? 'other' })
    const handler = topic && handlers[topic.kind]
    const topicRejection = rejectByTopic(message, topic) ?? (handler ? undefined : UNKNOWN_TOPIC)
    if (topicRejection || !handler) {
      await rejections.add(message, topicRejection ?? UNKNOWN_TOPIC)
      return 'rejected'
    }
    const receivedAt = clock.now()
    const handled = await lanes(topic, () => handler(topic, message, receivedAt))
    const { rejection, isPartial = false } = (await handled.stored) ?? handled
    if (!rejection) return 'accepted'
    await rejections.add(message, rejection)
    return isPartial ? 'accepted' : 'rejected'
  }
}

/** Checks that need only the topic and the size. */
function rejectByTopic(
  { topic, payloadBytes, gateway }: MqttMessage,
  parsed: Topic | undefined,
): Rejection | undefined {
  if (isNonCanonical(topic)) return NON_CANONICAL
  if (gateway && !belongsToSite(topic, gateway.siteUuid)) return FOREIGN
  if (parsed?.kind === 'commands') return FORGED
  return payloadBytes > MAX_PAYLOAD_BYTES ? TOO_LARGE : undefined
}

import type { Clock } from '../kernel/clock.ts'
import { createKeyedQueue } from '../kernel/concurrency.ts'
import type { Log } from '../kernel/log.ts'
import { retryUntilSuccess } from '../kernel/retry.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Rejection } from '../domain/telemetry/reading/validate.ts'
import { type MqttMessage, MAX_PAYLOAD_BYTES, type ReceiveMessage } from './brokers/broker.ts'
import type { Rejections } from './handlers/rejections.ts'
import { isNonCanonical, belongsToSite, parseTopic, type Topic, type TopicKind } from './topics.ts'

export interface HandlerResult {
  rejection?: Rejection
  /** Whether some of the records were valid. */
  isPartial?: boolean
  /** A write to await before the acknowledgement; messages behind this one are validated meanwhile. */
  stored?: Promise<Rejection | undefined> | undefined
}

/**
 * Handles one kind of message. It is retried if it throws, so it must be idempotent. `receivedAt` is the time of
 * arrival, however long the message has waited since: messages of different devices overtake each other.
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
const FOREIGN = { code: 'forbidden-topic', message: 'The account may use only the topics of its own site.' }
const FORGED = { code: 'forbidden-topic', message: 'Only the server may publish commands.' }
const FAILED = { code: 'failed', message: 'The server failed to process the message; see its log.' }
/** Logs the first failure of a message and then every twelfth, about one per minute. */
const LOG_EVERY = 12

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
  const lanes = createKeyedQueue()

  const onFailure = (err: unknown, failures: number): void => {
    if (failures % LOG_EVERY === 1) log.error({ err, failures }, 'an MQTT message cannot be stored; retrying')
  }

  /**
   * Messages of one device are processed in the order of their arrival. The site is part of the key, so that messages
   * in which an account of another site names the device do not delay it.
   */
  const handle = (topic: Topic, handler: Handler, message: MqttMessage): Promise<HandlerResult> => {
    const receivedAt = clock.now()
    return lanes(`${topic.siteUuid}/${topic.senderUuid}`, () =>
      retryUntilSuccess(() => attempt(() => handler(topic, message, receivedAt), message), {
        signal,
        onFailure,
      }),
    )
  }

  /** A programming error would fail forever and block all later messages: the message is rejected instead. */
  const attempt = async (
    deal: () => Promise<HandlerResult>,
    { topic }: MqttMessage,
  ): Promise<HandlerResult> => {
    try {
      return await deal()
    } catch (err) {
      if (!(err instanceof TypeError) && !(err instanceof RangeError)) throw err
      log.error({ err, topic }, 'an MQTT message cannot be processed')
      return { rejection: FAILED }
    }
  }

  return async (message) => {
    const topic = parseTopic(message.topic)
    metrics.mqttMessages.inc({ kind: topic?.kind ?? 'other' })
    const handler = topic && handlers[topic.kind]
    const topicRejection = rejectByTopic(message, topic) ?? (handler ? undefined : UNKNOWN_TOPIC)
    if (topicRejection || !handler) {
      await rejections.add(message, topicRejection ?? UNKNOWN_TOPIC)
      return 'rejected'
    }
    const { rejection, isPartial = false, stored } = await handle(topic, handler, message)
    const found = (await stored) ?? rejection
    if (!found) return 'accepted'
    await rejections.add(message, found)
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

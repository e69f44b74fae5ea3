import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Broker, BrokerEvents, ReceiveMessage } from './broker.ts'
import { MAX_PAYLOAD_BYTES, PREVIEW_BYTES } from './broker.ts'
import { parseBrokerAddress } from './address.ts'
import { type ReceivedMessage, openConnection } from './connection.ts'
import { toSubscriptionFilter, type TopicKind } from '../topics.ts'

/** The shared-subscription group of the instances. */
const SHARED = '$share/portico'

/** The subscriptions, each with alternative filters of which the first one that the broker grants is used. */
export const subscriptionsTo = (kinds: readonly TopicKind[]): string[][] =>
  kinds.map((kind) =>
    // Retained messages are not delivered to shared subscriptions, and presence is retained.
    kind === 'presence'
      ? [toSubscriptionFilter(kind)]
      : [`${SHARED}/${toSubscriptionFilter(kind)}`, toSubscriptionFilter(kind)],
  )

export interface ExternalBrokerEvents extends Pick<BrokerEvents, 'onConnected'> {
  receive: ReceiveMessage
  log: Log
  metrics: Pick<Metrics, 'mqttExternalConnected'>
}

/**
 * A broker run by the operator. One connection with a persistent session, so that nothing is lost while the server
 * restarts; many messages can await their acknowledgement on it. Several connections of one server would not be
 * faster, and messages of one device could overtake each other.
 */
export function openExternalBroker(
  { url, clientId, kinds }: { url: string; clientId: string; kinds: readonly TopicKind[] },
  { receive, onConnected, log, metrics }: ExternalBrokerEvents,
): Broker {
  const address = parseBrokerAddress(url)
  const broker = address.url
  metrics.mqttExternalConnected.set({ broker }, 0)
  const connection = openConnection({
    address,
    clientId,
    isSessionPersistent: true,
    subscriptions: subscriptionsTo(kinds),
    onMessage: (message) => receive(toIncoming(message)),
    onConnected() {
      metrics.mqttExternalConnected.set({ broker }, 1)
      log.info({ broker }, 'MQTT broker connected')
      onConnected()
    },
    onDisconnected(reason) {
      metrics.mqttExternalConnected.set({ broker }, 0)
      log.warn({ broker, reason }, 'MQTT broker not connected; retrying')
    },
  })
  return {
    isConnected: () => connection.isConnected(),
    publish: (topic, payload) => connection.publish(topic, payload),
    async close() {
      await connection.close()
      metrics.mqttExternalConnected.set({ broker }, 0)
    },
  }
}

export const toIncoming = ({
  topic,
  payload,
  isDuplicate,
  isRetained,
}: ReceivedMessage): Parameters<ReceiveMessage>[0] => ({
  topic,
  payload: payload.length > MAX_PAYLOAD_BYTES ? payload.subarray(0, PREVIEW_BYTES) : payload,
  payloadBytes: payload.length,
  isDuplicate,
  isRetainedCopy: isRetained,
  gateway: undefined,
})

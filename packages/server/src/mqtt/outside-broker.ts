import type { Log } from '../lib/log.ts'
import type { Metrics } from '../metrics.ts'
import type { Broker, BrokerEvents, Receive } from './broker.ts'
import { MAX_PAYLOAD_BYTES, SHOWN_BYTES } from './broker.ts'
import { brokerAddressOf, type Delivered, openConnection } from './connection.ts'
import { filterOf, type TopicKind } from './topics.ts'

/** Instances that share the work would share this group. */
const SHARED = '$share/portico'

/**
 * A broker that somebody else runs. One connection with a session that the broker keeps, so that nothing is lost while
 * the server restarts; many messages at once wait for their acknowledgement on it. Several connections would not be
 * faster, and messages of one device could overtake each other.
 */
export function openOutsideBroker(
  { url, clientId, kinds }: { url: string; clientId: string; kinds: readonly TopicKind[] },
  {
    receive,
    onConnected,
    log,
    metrics,
  }: Pick<BrokerEvents, 'onConnected'> & {
    receive: Receive
    log: Log
    metrics: Pick<Metrics, 'mqttOutsideConnected'>
  },
): Broker {
  const address = brokerAddressOf(url)
  const broker = address.url
  metrics.mqttOutsideConnected.set({ broker }, 0)
  const connection = openConnection({
    address,
    clientId,
    isSessionKept: true,
    subscriptions: kinds.map((kind) =>
      // Retained messages are not delivered to a shared subscription, and presence is told that way.
      kind === 'presence' ? [filterOf(kind)] : [`${SHARED}/${filterOf(kind)}`, filterOf(kind)],
    ),
    onMessage: (message) => receive(toIncoming(message)),
    onConnected() {
      metrics.mqttOutsideConnected.set({ broker }, 1)
      log.info({ broker }, 'MQTT broker connected')
      onConnected()
    },
    onDisconnected(reason) {
      metrics.mqttOutsideConnected.set({ broker }, 0)
      log.warn({ broker, reason }, 'MQTT broker not connected; trying on')
    },
  })
  return {
    isConnected: () => connection.isConnected(),
    publish: (topic, payload) => connection.publish(topic, payload),
    close: () => connection.close(),
  }
}

const toIncoming = ({ topic, payload, isDuplicate, isRetained }: Delivered): Parameters<Receive>[0] => ({
  topic,
  payload: payload.length > MAX_PAYLOAD_BYTES ? payload.subarray(0, SHOWN_BYTES) : payload,
  payloadBytes: payload.length,
  isDuplicate,
  isRetainedCopy: isRetained,
  gateway: undefined,
})

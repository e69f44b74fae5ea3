import type { StoredGateway } from '../../domain/estate/gateway/gateway.ts'

/** A message as it came, from whichever broker. */
export interface MqttMessage {
  topic: string
  /** Of a payload above the limit only the first bytes. */
  payload: Buffer
  payloadBytes: number
  /** The sender has sent it before and was not answered. */
  isDuplicate: boolean
  /** An old message that the broker had kept, not one just sent. */
  isRetainedCopy: boolean
  /** The account it came from; undefined where an outside broker has let it in. */
  gateway: StoredGateway | undefined
}

/**
 * Resolves when the message is dealt with and may be acknowledged: what was good in it is durable. A refused one goes
 * no further. Rejects when it was not dealt with: then it must not be acknowledged.
 */
export type ReceiveMessage = (message: MqttMessage) => Promise<'taken' | 'refused'>

/** What the server needs of a broker, its own or another. */
export interface Broker {
  isConnected(): boolean
  /** At QoS 1, not retained; resolves when the broker took it, with whether anybody hears it as far as the broker says. */
  publish(topic: string, payload: string): Promise<'published' | 'no-subscribers'>
  /** Nothing is taken any more; what was taken gets its acknowledgement. */
  close(): Promise<void>
}

/** What a broker tells the server besides messages. */
export interface BrokerEvents {
  /** Messages can be sent. */
  onConnected(): void
  /** Somebody of a site has begun to listen. */
  onSubscriber(siteUuid: string): void
}

/** Above this a message is refused, whatever it holds. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024

/** How much of a refused payload is kept to look at. */
export const PREVIEW_BYTES = 256

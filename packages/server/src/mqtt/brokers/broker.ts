import type { StoredGateway } from '../../domain/estate/gateway/gateway.ts'

/** A message as received, from either kind of broker. */
export interface MqttMessage {
  topic: string
  /** Truncated to the first bytes if the payload exceeds the limit. */
  payload: Buffer
  payloadBytes: number
  /** The DUP flag: the sender repeats a message that was not acknowledged. */
  isDuplicate: boolean
  /** A retained message from before the subscription, not one just published. */
  isRetainedCopy: boolean
  /** The sender's account; undefined if an external broker authenticated it. */
  gateway: StoredGateway | undefined
}

/**
 * Resolves when the message may be acknowledged: its valid parts are durable. A rejected message is not forwarded to
 * subscribers. Rejects if the message could not be processed: then it must not be acknowledged.
 */
export type ReceiveMessage = (message: MqttMessage) => Promise<'accepted' | 'rejected'>

/** A broker, embedded or external, as the server uses it. */
export interface Broker {
  isConnected(): boolean
  /**
   * Publishes at QoS 1, not retained. Resolves when the broker has accepted the message, with whether it has
   * subscribers as far as the broker reports that.
   */
  publish(topic: string, payload: string): Promise<'published' | 'no-subscribers'>
  /** Accepts no more messages; those already accepted are still acknowledged. */
  close(): Promise<void>
}

/** Events of a broker other than messages. */
export interface BrokerEvents {
  /** Messages can be published. */
  onConnected(): void
  /** A client of the site has subscribed. */
  onSubscriber(siteUuid: string): void
}

/** A larger message is rejected, whatever its content. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024

/** Bytes of a rejected payload that are stored for the operator. */
export const PREVIEW_BYTES = 256

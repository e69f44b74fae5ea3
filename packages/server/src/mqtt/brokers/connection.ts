import { connect, type IClientOptions, type MqttClient } from 'mqtt'
import { backoffMs } from '../../kernel/retry.ts'
import { createSemaphore } from '../../kernel/concurrency.ts'
import type { BrokerAddress } from './address.ts'

const CONNECT_WITHIN_MS = 10_000
const KEEPALIVE_SECONDS = 30
const SESSION_EXPIRY_SECONDS = 7 * 86_400
/** Messages that may await their acknowledgement at the same time. */
const MAX_UNANSWERED = 200
/** A broker may disconnect a client that has more messages in flight than it allows; Mosquitto allows 20. */
const MAX_PUBLISHING = 10
const CLOSE_WITHIN_MS = 2_000
/** Reason codes with which a broker rejects this version of MQTT. */
const OTHER_VERSION = new Set([1, 132])
const REFUSED_FROM = 128
/** Reason code of MQTT 5: the message was accepted but has no subscribers. */
const NO_SUBSCRIBERS = 16

export interface ReceivedMessage {
  topic: string
  payload: Buffer
  isDuplicate: boolean
  isRetained: boolean
}

export interface ConnectionOptions {
  address: BrokerAddress
  clientId: string
  /** Whether the broker keeps the session, and queues messages, while this client is disconnected. */
  isSessionPersistent: boolean
  will?: { topic: string; payload: string }
  /** Each is a list of alternative filters, of which the first one that the broker grants is used. */
  subscriptions: readonly (readonly string[])[]
  /** Subscriptions that a persistent session may still have and that are to be removed. */
  unwanted?: readonly string[]
  /** A message is acknowledged when this resolves, and never if it rejects. */
  onMessage?(message: ReceivedMessage): Promise<unknown>
  /** Connected and subscribed. */
  onConnected?(): void
  onDisconnected?(reason: string): void
}

/** A connection to a broker that reconnects indefinitely. */
export interface Connection {
  isConnected(): boolean
  /**
   * Publishes at QoS 1; resolves when the broker has accepted the message, rejects if the connection is lost before
   * that.
   */
  publish(
    topic: string,
    payload: string,
    options?: { isRetained: boolean },
  ): Promise<'published' | 'no-subscribers'>
  close(): Promise<void>
}

/**
 * The only file that uses MQTT.js. Each attempt is a new client, so that an acknowledgement can never be sent on a
 * later connection, where its packet identifier may belong to another message.
 */
export function openConnection(options: ConnectionOptions): Connection {
  let version: 4 | 5 = 5
  let failures = 0
  let isClosing = false
  let timer: NodeJS.Timeout | undefined
  let client: MqttClient
  let isReady = false
  let hasBeenReady = false
  const limitPublishing = createSemaphore(MAX_PUBLISHING)
  const messageHandlerFor = createMessageHandlers(options)

  const attempt = (): void => {
    const current = (client = connect(options.address.url, clientOptions(options, version)))
    let reason = 'the connection was closed'
    let hasAnswered = false
    let isOtherVersion = false
    const begin = async (): Promise<void> => {
      try {
        for (const filter of options.unwanted ?? []) await current.unsubscribeAsync(filter)
        await subscribe(current, options.subscriptions)
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
        current.end(true)
        return
      }
      failures = 0
      isReady = true
      hasBeenReady = true
      options.onConnected?.()
    }
    current.setMaxListeners(0)
    current.handleMessage = messageHandlerFor(current)
    current.on('connect', () => {
      hasAnswered = true
      void begin()
    })
    current.on('error', (error) => {
      reason = error.message
      if (!('code' in error)) return
      isOtherVersion = OTHER_VERSION.has(error.code)
      hasAnswered = true
    })
    current.once('close', () => {
      current.end(true)
      isReady = false
      if (isClosing) return
      if (isOtherVersion && version === 5) {
        version = 4
        return attempt()
      }
      failures += 1
      if (hasBeenReady || failures === 1) options.onDisconnected?.(reason)
      hasBeenReady = false
      // Some brokers that do not support MQTT 5 close the connection without a reason code.
      if (!hasAnswered) version = version === 5 ? 4 : 5
      timer = setTimeout(attempt, backoffMs(failures))
    })
  }
  attempt()

  return {
    isConnected: () => isReady,
    publish(topic, payload, { isRetained } = { isRetained: false }) {
      return limitPublishing(async () => {
        const current = client
        if (!isReady) throw new Error('the broker is not connected')
        return await new Promise<'published' | 'no-subscribers'>((resolve, reject) => {
          const lost = (): void => reject(new Error('the connection was lost'))
          current.once('close', lost)
          current.publish(topic, payload, { qos: 1, retain: isRetained }, (error, packet) => {
            current.off('close', lost)
            const hasNoSubscriber = packet && 'reasonCode' in packet && packet.reasonCode === NO_SUBSCRIBERS
            if (error) reject(error)
            else resolve(hasNoSubscriber ? 'no-subscribers' : 'published')
          })
        })
      })
    },
    async close() {
      isClosing = true
      clearTimeout(timer)
      isReady = false
      const ending = client
      const force = setTimeout(() => ending.end(true), CLOSE_WITHIN_MS)
      const closed = new Promise<void>((resolve) => {
        if (ending.connected) ending.once('close', resolve)
        else resolve()
      })
      ending.end(!ending.connected)
      await closed
      clearTimeout(force)
    },
  }
}

/** Connects once and disconnects, which ends any session with this client id; returns the reason if it fails. */
export function checkConnection(address: BrokerAddress, clientId = ''): Promise<string | undefined> {
  return new Promise((resolve) => {
    const connection = openConnection({
      address,
      clientId,
      isSessionPersistent: false,
      subscriptions: [],
      onConnected: () => void connection.close().then(() => resolve(undefined)),
      onDisconnected: (reason) => void connection.close().then(() => resolve(reason)),
    })
  })
}

function clientOptions(
  { address, clientId, isSessionPersistent, will }: ConnectionOptions,
  version: 4 | 5,
): IClientOptions {
  return {
    clientId,
    clean: !isSessionPersistent,
    protocolVersion: version,
    keepalive: KEEPALIVE_SECONDS,
    connectTimeout: CONNECT_WITHIN_MS,
    reconnectPeriod: 0,
    ...(address.username !== undefined && { username: address.username }),
    ...(address.password !== undefined && { password: address.password }),
    ...(version === 5 && {
      properties: {
        receiveMaximum: MAX_UNANSWERED,
        ...(isSessionPersistent && { sessionExpiryInterval: SESSION_EXPIRY_SECONDS }),
      },
    }),
    ...(will && { will: { ...will, payload: Buffer.from(will.payload), qos: 1, retain: true } }),
  }
}

/** Subscribes to the first alternative that is granted; fails if none is. */
async function subscribe(
  client: MqttClient,
  subscriptions: ConnectionOptions['subscriptions'],
): Promise<void> {
  for (const alternatives of subscriptions) {
    let isGranted = false
    for (const filter of alternatives) {
      const granted = await client.subscribeAsync(filter, { qos: 1 }).catch(() => undefined)
      isGranted = granted !== undefined && granted.every(({ qos }) => qos < REFUSED_FROM)
      if (isGranted) break
    }
    if (!isGranted) throw new Error(`the broker denies the subscription to ${alternatives.join(' and to ')}`)
  }
}

/**
 * MQTT.js delivers one message at a time and acknowledges it when the callback is called without an error. Calling it
 * with an error first releases the next message, so that many messages can wait for the same disk sync; their order is
 * kept. The number of waiting messages is counted over all connections, so that reconnecting does not accumulate them.
 */
function createMessageHandlers({
  onMessage,
}: ConnectionOptions): (client: MqttClient) => MqttClient['handleMessage'] {
  const held = new Error('acknowledged later')
  const limitUnacknowledged = createSemaphore(MAX_UNANSWERED)

  return (client) => (packet, done) => {
    const message: ReceivedMessage = {
      topic: packet.topic,
      payload: typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload,
      isDuplicate: packet.dup,
      isRetained: packet.retain,
    }
    const isOpen = (): boolean => client.connected
    const deal = async (): Promise<void> => {
      // The connection was lost while the message waited: the broker will send it again.
      if (!isOpen()) return
      done(held)
      try {
        await onMessage?.(message)
      } catch {
        // Not acknowledged: the broker will send it again.
        return
      }
      if (isOpen()) done()
    }
    void limitUnacknowledged(deal)
  }
}

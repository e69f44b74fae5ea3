import { connect, type IClientOptions, type MqttClient } from 'mqtt'
import { backoffMs } from '../../kernel/retry.ts'
import { createSemaphore } from '../../kernel/concurrency.ts'

const CONNECT_WITHIN_MS = 10_000
const KEEPALIVE_SECONDS = 30
const SESSION_EXPIRY_SECONDS = 7 * 86_400
/** Messages that may wait for their acknowledgement at once. */
const MAX_UNANSWERED = 200
/** A broker may let go of a client that has more than it allows under way, and Mosquitto allows 20. */
const MAX_PUBLISHING = 10
const CLOSE_WITHIN_MS = 2_000
/** Reason codes by which a broker says that it does not speak this version of MQTT. */
const OTHER_VERSION = new Set([1, 132])
const REFUSED_FROM = 128
/** By this a broker that speaks MQTT 5 says that a message went to nobody. */
const NOBODY_LISTENS = 16

/** A broker's address; what is secret in it stays apart. */
export interface BrokerAddress {
  /** Without credentials, fit for a log. */
  url: string
  username: string | undefined
  password: string | undefined
}

export function parseBrokerAddress(text: string): BrokerAddress {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  return {
    url: url.href,
    username: username === '' ? undefined : decodeURIComponent(username),
    password: password === '' ? undefined : decodeURIComponent(password),
  }
}

export interface ReceivedMessage {
  topic: string
  payload: Buffer
  isDuplicate: boolean
  isRetained: boolean
}

export interface ConnectionOptions {
  address: BrokerAddress
  clientId: string
  /** Whether the broker forgets us when we go, or keeps what comes meanwhile. */
  isSessionPersistent: boolean
  will?: { topic: string; payload: string }
  /** Each a filter, or filters of which the first that the broker grants is used. */
  subscriptions: readonly (readonly string[])[]
  /** What a kept session may still have and shall have no longer. */
  unwanted?: readonly string[]
  /** A message is acknowledged when this resolves, and never when it rejects. */
  onMessage?(message: ReceivedMessage): Promise<unknown>
  /** Connected and subscribed. */
  onConnected?(): void
  onDisconnected?(reason: string): void
}

/** One connection to a broker that comes back by itself, for ever. */
export interface Connection {
  isConnected(): boolean
  /** At QoS 1; resolves when the broker took it, rejects when the connection is gone or goes before that. */
  publish(
    topic: string,
    payload: string,
    options?: { isRetained: boolean },
  ): Promise<'published' | 'no-subscribers'>
  close(): Promise<void>
}

/**
 * The only file that knows MQTT.js. Each attempt is a client of its own: an acknowledgement can then never go out on
 * a later connection, where its number may mean another message.
 */
export function openConnection(options: ConnectionOptions): Connection {
  let version: 4 | 5 = 5
  let failures = 0
  let isClosing = false
  let timer: NodeJS.Timeout | undefined
  let client: MqttClient
  let isReady = false
  let hasBeenReady = false
  const inTurn = createSemaphore(MAX_PUBLISHING)
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
      // Not every broker that does not speak MQTT 5 says so.
      if (!hasAnswered) version = version === 5 ? 4 : 5
      timer = setTimeout(attempt, backoffMs(failures))
    })
  }
  attempt()

  return {
    isConnected: () => isReady,
    publish(topic, payload, { isRetained } = { isRetained: false }) {
      return inTurn(async () => {
        const current = client
        if (!isReady) throw new Error('the broker is not connected')
        return await new Promise<'published' | 'no-subscribers'>((resolve, reject) => {
          const lost = (): void => reject(new Error('the connection was lost'))
          current.once('close', lost)
          current.publish(topic, payload, { qos: 1, retain: isRetained }, (error, packet) => {
            current.off('close', lost)
            const isUnheard = packet && 'reasonCode' in packet && packet.reasonCode === NOBODY_LISTENS
            if (error) reject(error)
            else resolve(isUnheard ? 'no-subscribers' : 'published')
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

/** Signs on once and leaves, and a session under this name is over; answers with what stands in the way. */
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

/** Of alternatives the first that is granted; none granted is a failure. */
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
    if (!isGranted) throw new Error(`the broker refuses the subscription to ${alternatives.join(' and to ')}`)
  }
}

/**
 * MQTT.js hands over one message at a time and acknowledges when its callback is called without an error. Calling it
 * with one first lets the next message come, so that many wait for the same disk sync; their order stays theirs. How
 * many may wait is counted over all connections, so that one that comes and goes piles nothing up.
 */
function createMessageHandlers({
  onMessage,
}: ConnectionOptions): (client: MqttClient) => MqttClient['handleMessage'] {
  const held = new Error('acknowledged later')
  const inTurn = createSemaphore(MAX_UNANSWERED)

  return (client) => (packet, done) => {
    const message: ReceivedMessage = {
      topic: packet.topic,
      payload: typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload,
      isDuplicate: packet.dup,
      isRetained: packet.retain,
    }
    const isOpen = (): boolean => client.connected
    const deal = async (): Promise<void> => {
      // Its turn may have come after the connection had gone: the broker will send it again.
      if (!isOpen()) return
      done(held)
      try {
        await onMessage?.(message)
      } catch {
        // Not acknowledged: the broker still has it.
        return
      }
      if (isOpen()) done()
    }
    void inTurn(deal)
  }
}

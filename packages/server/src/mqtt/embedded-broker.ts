import { createServer, type Socket } from 'node:net'
import { Aedes, type Client, type PublishPacket } from 'aedes'
import type { StoredGateway } from '../gateway/gateway.ts'
import type { GatewayService } from '../gateway/service.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from '../metrics.ts'
import type { Broker, BrokerEvents, Receive } from './broker.ts'
import { readPayload } from './frame-limit.ts'
import { createLoad, type GuardedSocket, guardSocket } from './guarded-socket.ts'
import { isOfSite, matches, parseTopic } from './topics.ts'

const MAX_CONNECTIONS = 10_000
const MAX_SUBSCRIPTIONS = 1_000
const CONNECT_WITHIN_MS = 10_000
/** A subscriber that reads nothing for so long is let go: others wait for it. */
const DRAIN_WITHIN_MS = 5_000
const CONCURRENCY = 1_000
const MAX_QOS2 = 100
/** Well within the five seconds after which a removed account must be out. */
const LOOK_EVERY_MS = 2_000
const TCP_KEEPALIVE_MS = 60_000

/** CONNACK codes of MQTT 3.1.1. */
const UNAVAILABLE = 3
const BAD_CREDENTIALS = 4
const NOT_AUTHORIZED = 5

/** Nobody may subscribe to it: what was refused goes here, since an error would close the connection. */
const NOWHERE = '$portico/refused'

interface Session {
  gateway: StoredGateway
  subscriptions: Set<string>
  guard: GuardedSocket | undefined
}

export interface EmbeddedBrokerDeps extends Pick<BrokerEvents, 'onListener'> {
  gateways: Pick<GatewayService, 'authenticate' | 'isCurrent'>
  receive: Receive
  log: Log
  metrics: Pick<Metrics, 'mqttClients'>
}

/**
 * Aedes in this process: the only file that knows it. It speaks MQTT 3.1.1. The acknowledgement of a publish is held in
 * `authorizePublish` until the message is dealt with. Sessions end with their connection, so that nothing piles up for
 * clients that are away; a command is kept by the server until the device answers it.
 */
export async function startEmbeddedBroker(
  { host, port }: { host: string; port: number },
  { gateways, receive, onListener, log, metrics }: EmbeddedBrokerDeps,
): Promise<Broker> {
  const sessions = new WeakMap<Client, Session>()
  const guards = new WeakMap<object, GuardedSocket>()
  const releases = new WeakMap<object, () => void>()
  const clients = new Set<Client>()
  const sockets = new Set<Socket>()
  const load = createLoad()
  const underWay = new Set<Promise<void>>()
  let isStopping = false

  const aedes = await Aedes.createBroker({
    concurrency: CONCURRENCY,
    connectTimeout: CONNECT_WITHIN_MS,
    drainTimeout: DRAIN_WITHIN_MS,
    maxInflightInbound: MAX_QOS2,

    preConnect(_client, packet, done) {
      packet.clean = true
      done(null, true)
    },

    authenticate: (client, username, password, done) => void signOn(client, username, password, done),

    authorizeSubscribe(client, subscription, done) {
      const session = sessions.get(client)
      const isAllowed =
        session !== undefined &&
        isOfSite(subscription.topic, session.gateway.siteUuid) &&
        (session.subscriptions.has(subscription.topic) || session.subscriptions.size < MAX_SUBSCRIPTIONS)
      if (isAllowed) session.subscriptions.add(subscription.topic)
      // Not an error: that would close the connection.
      done(null, isAllowed ? subscription : null)
    },

    authorizePublish: (client, packet, done) => void takeAndAnswer(client, packet, done),

    published(packet, _client, done) {
      releases.get(packet)?.()
      done()
    },
  })

  async function signOn(
    client: Client,
    username: string | undefined,
    password: Buffer | undefined,
    done: (error: (Error & { returnCode: number }) | null, success: boolean | null) => void,
  ): Promise<void> {
    if (username === undefined || password === undefined) return done(refused(NOT_AUTHORIZED), null)
    let gateway: StoredGateway | undefined
    try {
      gateway = await gateways.authenticate(username, password)
    } catch (err) {
      log.warn({ err }, 'an MQTT client cannot be authenticated')
      return done(refused(UNAVAILABLE), null)
    }
    if (!gateway) return done(refused(BAD_CREDENTIALS), null)
    // One account cannot take over the connection of another by its client id.
    Object.assign(client, { id: `${gateway.mqttUsername}/${client.id}` })
    sessions.set(client, { gateway, subscriptions: new Set(), guard: guards.get(client.conn) })
    done(null, true)
  }

  async function takeAndAnswer(
    client: Client | null,
    packet: PublishPacket,
    done: (error?: Error | null) => void,
  ): Promise<void> {
    const session = client ? sessions.get(client) : undefined
    // At a stop connections end because of us: their last wills say nothing about the devices.
    if (!session || isStopping) return done(new Error('not taken'))
    const taken = take(session, packet)
    underWay.add(taken)
    try {
      await taken
    } catch (error) {
      return done(error instanceof Error ? error : new Error(String(error)))
    } finally {
      underWay.delete(taken)
    }
    done()
  }

  async function take({ gateway, guard }: Session, packet: PublishPacket): Promise<void> {
    const { payload, payloadBytes } = readPayload(toBuffer(packet.payload))
    const release = guard?.hold(payload.length) ?? (() => {})
    releases.set(packet, release)
    const { topic } = packet
    // A last will has no such flag.
    const isDuplicate = 'dup' in packet && packet.dup
    try {
      const verdict = await receive({
        topic,
        payload,
        payloadBytes,
        isDuplicate,
        isRetainedCopy: false,
        gateway,
      })
      // Readings are no state to be told again later; presence is.
      if (parseTopic(topic)?.kind !== 'presence') packet.retain = false
      if (verdict === 'refused') Object.assign(packet, { topic: NOWHERE, payload: '', retain: false })
    } catch (error) {
      release()
      throw error
    }
  }

  aedes.on('client', (client) => {
    clients.add(client)
    metrics.mqttClients.set(clients.size)
  })
  aedes.on('clientDisconnect', (client) => {
    clients.delete(client)
    metrics.mqttClients.set(clients.size)
  })
  aedes.on('subscribe', (_subscriptions, client) => {
    const session = sessions.get(client)
    if (session) onListener(session.gateway.siteUuid)
  })
  aedes.on('unsubscribe', (filters, client) => {
    for (const filter of filters) sessions.get(client)?.subscriptions.delete(filter)
  })
  for (const event of ['clientError', 'connectionError'] as const) {
    aedes.on(event, (client, err) =>
      log.debug({ client: client.id, reason: err.message }, 'MQTT client lost'),
    )
  }
  // Aedes reports failures of its own here; without a listener they would end the process.
  ;(aedes as NodeJS.EventEmitter).on('error', (err: Error) => log.error({ err }, 'MQTT broker'))

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.setNoDelay(true)
    socket.setKeepAlive(true, TCP_KEEPALIVE_MS)
    const guard = guardSocket(socket, load)
    guards.set(guard.stream, guard)
    aedes.handle(guard.stream)
  })
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })

  /** Accounts change over HTTP and from the command line, in another process. */
  const disconnectRemoved = async (): Promise<void> => {
    for (const client of clients) {
      const session = sessions.get(client)
      if (session && !(await gateways.isCurrent(session.gateway))) client.close()
    }
  }
  const timer = setInterval(() => {
    disconnectRemoved().catch((err: unknown) => log.warn({ err }, 'MQTT accounts could not be looked up'))
  }, LOOK_EVERY_MS)

  const isHeard = (topic: string): boolean => {
    for (const client of clients) {
      for (const filter of sessions.get(client)?.subscriptions ?? []) if (matches(filter, topic)) return true
    }
    return false
  }

  return {
    isConnected: () => !isStopping,
    publish(topic, payload) {
      if (!isHeard(topic)) return Promise.resolve('unheard')
      return new Promise((resolve, reject) => {
        aedes.publish(
          { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 1, retain: false, dup: false },
          (error) => (error ? reject(error) : resolve('heard')),
        )
      })
    },
    async close() {
      isStopping = true
      clearInterval(timer)
      await Promise.allSettled(underWay)
      // Acknowledgements are on their way out one turn later.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await new Promise<void>((resolve) => aedes.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const toBuffer = (payload: string | Buffer): Buffer =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

const refused = (returnCode: number): Error & { returnCode: number } =>
  Object.assign(new Error('refused'), { returnCode })

import { Aedes, type Client, type PublishPacket } from 'aedes'
import type { StoredGateway } from '../../domain/estate/gateway/gateway.ts'
import type { GatewayService } from '../../domain/estate/gateway/service.ts'
import type { Log } from '../../kernel/log.ts'
import { repeatEvery } from '../../kernel/repeat-every.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Rejection } from '../../domain/telemetry/reading/validate.ts'
import { SIGN_ON_WITHIN_MS } from './bounds.ts'
import type { Broker, BrokerEvents, ReceiveMessage } from './broker.ts'
import { createBrokerPersistence } from './persistence.ts'
import { createByteTally } from './byte-tally.ts'
import { readPayload } from './packet-limit.ts'
import { type BackpressureSocket, withBackpressure } from './backpressure-socket.ts'
import { type ListenerOptions, openListeners } from './listeners.ts'
import { createRetainedPresence } from './retained-presence.ts'
import { createSessions, type Session } from './sessions.ts'
import type { SiteUnits } from './site-senders.ts'
import { parseTopic } from '../topics.ts'
import {
  TOO_MANY_CONNECTIONS,
  TOO_MANY_SUBSCRIPTIONS,
  UNRELEASED_QOS2,
  type Violations,
} from './violations.ts'

/** Well within the 5 s in which a removed account must be disconnected. */
const CHECK_INTERVAL_MS = 2_000
const CHECK_DRAIN_EVERY_MS = 2_000
const PRUNE_EVERY_MS = 600_000

/** CONNACK codes of MQTT 3.1.1. */
const UNAVAILABLE = 3
const BAD_CREDENTIALS = 4
const NOT_AUTHORIZED = 5

/**
 * Clients cannot subscribe to it. Rejected messages are redirected here, because an error would close the connection.
 */
const DISCARD_TOPIC = '$portico/refused'

/** A connection, before and after sign-on. */
interface Connection {
  guard: BackpressureSocket
  /** Records that the client has signed on, so that it no longer counts as pending. */
  signedOn(): void
  /** Undefined until the client has signed on. */
  session: Session | undefined
  /** Whether Aedes has registered the client, and so reports its end. */
  isRegistered: boolean
}

export interface EmbeddedBrokerDeps extends Pick<BrokerEvents, 'onSubscriber'> {
  gateways: Pick<GatewayService, 'authenticate' | 'isCurrent'>
  receive: ReceiveMessage
  /** Undefined for a site that does not exist. */
  loadUnits(siteUuid: string): Promise<SiteUnits | undefined>
  violations: Violations
  log: Log
  metrics: Pick<Metrics, 'mqttClients'>
}

/**
 * Aedes in this process: the only file that uses it. It speaks MQTT 3.1.1. `authorizePublish` withholds the
 * acknowledgement of a message until it is processed. Sessions end with their connection, so that no messages queue up
 * for disconnected clients; the server keeps a command until the device responds to it.
 */
export async function startEmbeddedBroker(
  listenerOptions: ListenerOptions,
  { gateways, receive, loadUnits, violations, onSubscriber, log, metrics }: EmbeddedBrokerDeps,
): Promise<Broker> {
  const connections = new WeakMap<object, Connection>()
  const guards = new Set<BackpressureSocket>()
  const releases = new WeakMap<object, () => void>()
  /** QoS 2 messages being processed, by client and packet identifier. */
  const receiving = new WeakMap<Client, Map<number, Promise<void>>>()
  const sessions = createSessions()
  const total = createByteTally()
  const retained = createRetainedPresence(loadUnits)
  const persistence = createBrokerPersistence(retained)
  const underWay = new Set<Promise<void>>()
  let isStopping = false
  let connectionNumber = 0

  const aedes = await Aedes.createBroker({
    // Messages in progress are bounded per connection, per account and in total (`unanswered`); a shared bound would
    // let sites block each other.
    concurrency: 0,
    connectTimeout: SIGN_ON_WITHIN_MS,
    persistence: persistence.adapter,

    preConnect(_client, packet, done) {
      packet.clean = true
      done(null, true)
    },

    authenticate: (client, username, password, done) => void signOn(client, username, password, done),

    authorizeSubscribe(client, subscription, done) {
      const session = findSession(client)
      const verdict = session ? sessions.subscribe(session, subscription.topic) : 'forbidden'
      if (session && verdict === 'too-many')
        violations.report(session.gateway, TOO_MANY_SUBSCRIPTIONS, subscription.topic)
      // Not an error, which would close the connection.
      done(null, verdict === 'granted' ? subscription : null)
    },

    authorizePublish: (client, packet, done) => void takeAndAnswer(client, packet, done),

    published(packet, _client, done) {
      releases.get(packet)?.()
      done()
    },
  })

  const findSession = (client: Client): Session | undefined => connections.get(client.conn)?.session

  async function signOn(
    client: Client,
    username: string | undefined,
    password: Buffer | undefined,
    done: (error: (Error & { returnCode: number }) | null, success: boolean | null) => void,
  ): Promise<void> {
    const connection = connections.get(client.conn)
    if (!connection || username === undefined || password === undefined)
      return done(toConnackError(NOT_AUTHORIZED), null)
    let gateway: StoredGateway | undefined
    try {
      gateway = await gateways.authenticate(username, password)
    } catch (err) {
      log.warn({ err }, 'an MQTT client could not be authenticated')
      return done(toConnackError(UNAVAILABLE), null)
    }
    if (!gateway) return done(toConnackError(BAD_CREDENTIALS), null)
    const { guard, signedOn } = connection
    const clientId = client.id
    // Aedes removes a client when an earlier one with the same id ends. Each connection therefore gets a unique id in
    // Aedes, and `sessions` ends the connection that is taken over. Client ids of different accounts are independent.
    connectionNumber += 1
    Object.assign(client, { id: `${gateway.mqttUsername}/${clientId}/${connectionNumber}` })
    const session = await sessions.open({ gateway, clientId, guard, close: () => client.close() })
    if (session === 'too-many') {
      violations.report(gateway, TOO_MANY_CONNECTIONS)
      return done(toConnackError(UNAVAILABLE), null)
    }
    connection.session = session
    if (guard.isClosed) return endSession(connection)
    guard.stream.once('close', () => {
      if (!connection.isRegistered) endSession(connection)
    })
    metrics.mqttClients.set(sessions.size)
    signedOn()
    guard.admit(session.account.tally)
    done(null, true)
  }

  function endSession({ session }: Connection): void {
    if (session) sessions.end(session)
    metrics.mqttClients.set(sessions.size)
  }

  async function takeAndAnswer(
    client: Client | null,
    packet: PublishPacket,
    done: (error?: Error | null) => void,
  ): Promise<void> {
    const session = client ? findSession(client) : undefined
    // At shutdown the server closes the connections: last wills then say nothing about the devices.
    if (!client || !session || isStopping) return done(new Error('rejected'))
    const taken = receiveOnce(client, session, packet)
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

  /** A QoS 2 message that is repeated before its PUBREL is not processed again. */
  function receiveOnce(client: Client, session: Session, packet: PublishPacket): Promise<void> {
    // A last will has no packet identifier: it is published after its client has disconnected, and never gets a PUBREL.
    const messageId = packet.qos === 2 && 'messageId' in packet ? packet.messageId : undefined
    if (messageId === undefined) return take(session, packet)
    const ofClient = receiving.get(client) ?? new Map<number, Promise<void>>()
    receiving.set(client, ofClient)
    const verdict = persistence.reserve(client, messageId)
    if (verdict === 'too-many') {
      session.guard.abort(UNRELEASED_QOS2)
      return Promise.reject(new Error(UNRELEASED_QOS2.message))
    }
    if (verdict === 'duplicate') {
      drop(packet)
      return ofClient.get(messageId) ?? Promise.resolve()
    }
    const taken = take(session, packet).finally(() => ofClient.delete(messageId))
    ofClient.set(messageId, taken)
    return taken
  }

  async function take({ gateway, guard }: Session, packet: PublishPacket): Promise<void> {
    const { payload, payloadBytes } = readPayload(toBuffer(packet.payload))
    const release = guard.track(payload.length)
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
      // Readings must not be retained: they are events, not state. Presence is state.
      if (parseTopic(topic)?.kind !== 'presence') packet.retain = false
      if (verdict === 'rejected') drop(packet)
    } catch (error) {
      release()
      throw error
    }
  }

  aedes.on('client', (client) => {
    const connection = connections.get(client.conn)
    if (!connection) return
    connection.isRegistered = true
    // If the connection was lost during sign-on, Aedes will not report its end.
    if (!connection.guard.isClosed) return
    ;(aedes as unknown as { deleteClient(id: string): void }).deleteClient(client.id)
    endSession(connection)
  })
  aedes.on('clientDisconnect', (client) => {
    const connection = connections.get(client.conn)
    if (connection) endSession(connection)
  })
  aedes.on('subscribe', (_subscriptions, client) => {
    const session = findSession(client)
    if (session) onSubscriber(session.gateway.siteUuid)
  })
  aedes.on('unsubscribe', (filters, client) => {
    const session = findSession(client)
    if (session) for (const filter of filters) sessions.unsubscribe(session, filter)
  })
  for (const event of ['clientError', 'connectionError'] as const) {
    aedes.on(event, (client, err) =>
      log.debug({ client: client.id, reason: err.message }, 'MQTT client lost'),
    )
  }
  // Without a listener, Aedes's own errors would end the process.
  ;(aedes as NodeJS.EventEmitter).on('error', (err: Error) => log.error({ err }, 'MQTT broker'))

  const closeAedes = (): Promise<void> => new Promise((resolve) => aedes.close(resolve))
  const listeners = await openListeners(
    listenerOptions,
    (socket, signedOn) => {
      const onViolation = (violation: Rejection): void => {
        if (connection.session) violations.report(connection.session.gateway, violation)
      }
      const guard = withBackpressure(socket, total, onViolation)
      const connection: Connection = { guard, signedOn, session: undefined, isRegistered: false }
      guards.add(guard)
      guard.stream.once('close', () => guards.delete(guard))
      connections.set(guard.stream, connection)
      aedes.handle(guard.stream)
    },
    log,
  ).catch(async (error: unknown) => {
    // Its timers would keep the process running after a failed start.
    await closeAedes()
    throw error
  })

  /** Accounts are also changed over HTTP and by the command line, in other processes. */
  const disconnectRemoved = async (): Promise<void> => {
    const accounts = [...sessions.accounts()]
    for (const { gateway, sessions: ofAccount } of accounts) {
      if (await gateways.isCurrent(gateway)) continue
      for (const session of ofAccount.values()) session.close()
    }
  }
  const tasks = [
    repeatEvery(CHECK_INTERVAL_MS, disconnectRemoved, (err) =>
      log.warn({ err }, 'MQTT accounts could not be checked'),
    ),
    repeatEvery(PRUNE_EVERY_MS, retained.prune, (err) =>
      log.warn({ err }, 'retained MQTT messages could not be compared with the inventory'),
    ),
  ]
  const drainTimer = setInterval(() => {
    for (const guard of guards) guard.checkDrain(CHECK_DRAIN_EVERY_MS)
  }, CHECK_DRAIN_EVERY_MS)

  return {
    isConnected: () => !isStopping,
    publish(topic, payload) {
      const siteUuid = parseTopic(topic)?.siteUuid ?? ''
      if (!sessions.hasSubscriber(siteUuid, topic)) return Promise.resolve('no-subscribers')
      return new Promise((resolve, reject) => {
        aedes.publish(
          { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 1, retain: false, dup: false },
          (error) => (error ? reject(error) : resolve('published')),
        )
      })
    },
    async close() {
      isStopping = true
      clearInterval(drainTimer)
      await Promise.all(tasks.map((task) => task.stop()))
      await Promise.allSettled(underWay)
      // Acknowledgements are written one event-loop iteration later.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      await closeAedes()
      await listeners.close()
    },
  }
}

const drop = (packet: PublishPacket): void =>
  void Object.assign(packet, { topic: DISCARD_TOPIC, payload: '', retain: false })

const toBuffer = (payload: string | Buffer): Buffer =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

const toConnackError = (returnCode: number): Error & { returnCode: number } =>
  Object.assign(new Error('rejected'), { returnCode })

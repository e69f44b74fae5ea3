import { Aedes, type Client } from 'aedes'
import type { GatewayService } from '../../domain/estate/gateway/service.ts'
import type { Log } from '../../kernel/log.ts'
import { repeatEvery } from '../../kernel/repeat-every.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Rejection } from '../../domain/telemetry/reading/validate.ts'
import { SIGN_ON_WITHIN_MS } from './bounds.ts'
import type { Broker, BrokerEvents, ReceiveMessage } from './broker.ts'
import { createBrokerPersistence } from './persistence.ts'
import { createByteTally } from './byte-tally.ts'
import { type BackpressureSocket, withBackpressure } from './backpressure-socket.ts'
import { type ListenerOptions, openListeners } from './listeners.ts'
import { createRetainedPresence } from './retained-presence.ts'
import { createIncomingMessages } from './incoming-messages.ts'
import { createSessions, type Session } from './sessions.ts'
import { type Connection, createSignOn } from './sign-on.ts'
import type { SiteUnits } from './site-senders.ts'
import { parseTopic } from '../topics.ts'
import { TOO_MANY_SUBSCRIPTIONS, type Violations } from './violations.ts'

/** Well within the 5 s in which a removed account must be disconnected. */
const CHECK_INTERVAL_MS = 2_000
const CHECK_DRAIN_EVERY_MS = 2_000
const PRUNE_EVERY_MS = 600_000

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
  const sessions = createSessions()
  const total = createByteTally()
  const retained = createRetainedPresence(loadUnits)
  const persistence = createBrokerPersistence(retained)
  const incoming = createIncomingMessages(receive, persistence)
  const { signOn, endSession } = createSignOn({ sessions, gateways, violations, log, metrics })
  let isStopping = false

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

    authenticate: (client, username, password, done) =>
      void signOn(connections.get(client.conn), client, { username, password }, done),

    authorizeSubscribe(client, subscription, done) {
      const session = findSession(client)
      const verdict = session ? sessions.subscribe(session, subscription.topic) : 'forbidden'
      if (session && verdict === 'too-many')
        violations.report(session.gateway, TOO_MANY_SUBSCRIPTIONS, subscription.topic)
      // Not an error, which would close the connection.
      done(null, verdict === 'granted' ? subscription : null)
    },

    authorizePublish(client, packet, done) {
      const session = client ? findSession(client) : undefined
      // At shutdown the server itself closes the connections, so last wills say nothing about the devices.
      if (!client || !session || isStopping) return done(new Error('rejected'))
      void incoming.receive(client, session, packet, done)
    },

    published(packet, _client, done) {
      incoming.release(packet)
      done()
    },
  })

  const findSession = (client: Client): Session | undefined => connections.get(client.conn)?.session

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
      await incoming.settled()
      // Acknowledgements are written one event-loop iteration later.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      await closeAedes()
      await listeners.close()
    },
  }
}

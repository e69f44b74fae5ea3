import type { StoredGateway } from '../../domain/estate/gateway/gateway.ts'
import type { GatewayService } from '../../domain/estate/gateway/service.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { BackpressureSocket } from './backpressure-socket.ts'
import type { Session, Sessions } from './sessions.ts'
import { TOO_MANY_CONNECTIONS, type Violations } from './violations.ts'

/** CONNACK codes of MQTT 3.1.1. */
const UNAVAILABLE = 3
const BAD_CREDENTIALS = 4
const NOT_AUTHORIZED = 5

/** A connection, before and after sign-on. */
export interface Connection {
  guard: BackpressureSocket
  /** Records that the client has signed on, so that it no longer counts as pending. */
  signedOn(): void
  /** Undefined until the client has signed on. */
  session: Session | undefined
  /** Whether Aedes has registered the client and will therefore report its end. */
  isRegistered: boolean
}

/** A client of Aedes. */
interface SigningOnClient {
  id: string
  close(): void
}

/** Calls back with the CONNACK code of a rejected client in the error. */
type SignOnCallback = (error: (Error & { returnCode: number }) | null, isAccepted: boolean | null) => void

export interface SignOn {
  /** Authenticates a client and opens its session. Does not call back if the connection was lost meanwhile. */
  signOn(
    connection: Connection | undefined,
    client: SigningOnClient,
    credentials: { username: string | undefined; password: Uint8Array | undefined },
    done: SignOnCallback,
  ): Promise<void>
  endSession(connection: Connection): void
}

export function createSignOn({
  sessions,
  gateways,
  violations,
  log,
  metrics,
}: {
  sessions: Sessions
  gateways: Pick<GatewayService, 'authenticate'>
  violations: Violations
  log: Log
  metrics: Pick<Metrics, 'mqttClients'>
}): SignOn {
  let connectionNumber = 0

  function endSession({ session }: Connection): void {
    if (session) sessions.end(session)
    metrics.mqttClients.set(sessions.size)
  }

  return {
    async signOn(connection, client, { username, password }, done) {
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
    },
    endSession,
  }
}

const toConnackError = (returnCode: number): Error & { returnCode: number } =>
  Object.assign(new Error('rejected'), { returnCode })

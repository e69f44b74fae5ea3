import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { toAddressKey } from '../../kernel/address-key.ts'
import type { Log } from '../../kernel/log.ts'
import { MAX_CONNECTIONS, SIGN_ON_WITHIN_MS } from './bounds.ts'
import { createPendingConnections } from './pending-connections.ts'

const TCP_KEEPALIVE_MS = 60_000

/** Where the embedded broker listens. */
export interface ListenerOptions {
  host: string
  port: number
  /** MQTT over TLS, on a separate port. */
  secure?: SecureListenerOptions | undefined
}

export interface SecureListenerOptions {
  host: string
  port: number
  certificate: { cert: Buffer; key: Buffer }
  /** Makes the server use renewed certificates; call the returned function to stop watching. */
  watchCertificate(server: TlsServer): () => void
}

/** Called for each MQTT connection; `socket` is already decrypted if the connection uses TLS. */
export type OnConnection = (socket: Socket, signedOn: () => void) => void

/** Opens the ports of the broker. Both share the same bounds. */
export async function openListeners(
  { secure, ...plain }: ListenerOptions,
  onConnection: OnConnection,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const pending = createPendingConnections()
  const sockets = new Set<Socket>()
  /** Keyed by addresses and ports, because a TLS socket does not expose its underlying socket. */
  const handshakes = new Map<string, () => void>()

  /** Counts a connection before anything is read from it. Returns undefined if there are too many. */
  const accept = (socket: Socket): (() => void) | undefined => {
    socket.on('error', () => {})
    if (sockets.size >= MAX_CONNECTIONS) {
      socket.destroy()
      return undefined
    }
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.setKeepAlive(true, TCP_KEEPALIVE_MS)
    const signedOn = pending.add(toAddressKey(socket.remoteAddress ?? ''), () => socket.destroy())
    socket.once('close', () => {
      sockets.delete(socket)
      signedOn()
    })
    return signedOn
  }

  const plainServer = createServer((socket) => {
    const signedOn = accept(socket)
    if (signedOn) onConnection(socket, signedOn)
  })
  await listen(plainServer, plain, log)
  const servers: Server[] = [plainServer]
  let stopWatching = (): void => {}

  if (secure) {
    const { certificate, watchCertificate, ...address } = secure
    const server = createTlsServer({ ...certificate, handshakeTimeout: SIGN_ON_WITHIN_MS }, (socket) => {
      const signedOn = handshakes.get(toConnectionKey(socket))
      if (signedOn) onConnection(socket, signedOn)
      else socket.destroy()
    })
    server.on('connection', (socket: Socket) => {
      const signedOn = accept(socket)
      if (!signedOn) return
      const key = toConnectionKey(socket)
      handshakes.set(key, signedOn)
      socket.once('close', () => handshakes.delete(key))
    })
    server.on('tlsClientError', (err) => log.debug({ reason: err.message }, 'MQTT: TLS handshake failed'))
    await listen(server, address, log).catch((error: unknown) => {
      plainServer.close()
      for (const socket of sockets) socket.destroy()
      throw error
    })
    servers.push(server)
    stopWatching = watchCertificate(server)
  }

  return {
    async close() {
      stopWatching()
      const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}

const toConnectionKey = ({ remoteAddress, remotePort, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localPort}`

async function listen(server: Server, address: { host: string; port: number }, log: Log): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      resolve()
    })
  })
  // For example, too many open files: later connections may be accepted again.
  server.on('error', (err) => log.warn({ err }, 'MQTT: a connection could not be accepted'))
}

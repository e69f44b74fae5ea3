import type { RequestListener, Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { Socket } from 'node:net'
import { createServer, IncomingMessage, ServerResponse } from '../../kernel/node-http.ts'
import { respondToClientError } from './client-error.ts'
import type { CloseReason, ReportClosed } from './connections/closed-connections.ts'
import { createConnectionClock } from './connections/connection-clock.ts'
import { createAddressLimit } from './connections/connections-per-address.ts'
import * as limits from './limits.ts'
import { onePerConnection } from './connections/pipelining.ts'
import { toOriginForm } from './origin-form.ts'
import { hasBody } from './request-limits.ts'
import type { TrustProxy } from './trusted-proxies.ts'

export interface TlsPair {
  cert: Buffer
  key: Buffer
}

interface HttpServerOptions {
  tls: TlsPair | undefined
  publicUrl: string
  trustProxy: TrustProxy
  connectionsPerAddress: number
  reportClosed: ReportClosed
}

/** Node's HTTP server with explicit limits. */
export function createHttpServer(handler: RequestListener, options: HttpServerOptions): Server {
  const { tls, publicUrl, trustProxy, connectionsPerAddress, reportClosed } = options
  warmUpHttpShapes()
  const close = (reason: CloseReason, socket: Socket): void => {
    reportClosed(reason, socket)
    socket.destroy()
  }
  const clock = createConnectionClock(close)
  const listener = onePerConnection(
    (request, response) => {
      request.url = toOriginForm(request.url ?? '')
      if (hasBody(request)) clock.addRequest(request, response)
      handler(request, response)
    },
    (socket) => reportClosed('too many pipelined requests', socket),
  )
  const server = createNodeServer(tls, listener)
  server.maxConnections = limits.MAX_CONNECTIONS
  const isWithinLimit = createAddressLimit({ max: connectionsPerAddress, trustProxy })
  server.on('connection', (socket: Socket) => {
    if (!isWithinLimit(socket)) close('too many connections of one address', socket)
  })
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => clock.addConnection(socket))
  const checks = setInterval(() => clock.check(), limits.CHECK_INTERVAL_MS).unref()
  server.on('close', () => clearInterval(checks))
  server.on('clientError', (error, socket) => respondToClientError(error, socket as Socket, publicUrl))
  // An unknown Expect header is ignored: Node's own 417 would have neither body nor request id.
  server.on('checkExpectation', listener)
  return server
}

function createNodeServer(tls: TlsPair | undefined, listener: RequestListener): Server {
  const options = {
    // One limit for request line and headers together; request-limits.ts checks each of them exactly.
    maxHeaderSize: limits.MAX_HEADER_BYTES + limits.MAX_URL_BYTES + 1024,
    headersTimeout: limits.HEADERS_TIMEOUT_MS,
    // Set per request in request-limits.ts: some bodies are streams of any length.
    requestTimeout: 0,
    // connection-clock.ts closes idle connections.
    keepAliveTimeout: 0,
    // A request without a body emits no events of a stream.
    optimizeEmptyRequests: true,
    connectionsCheckingInterval: 1_000,
    // Checked in request-limits.ts: Node's own response would have neither body nor request id.
    requireHostHeader: false,
  }
  if (!tls) return createServer(options, listener)
  return createTlsServer({ ...options, ...tls, handshakeTimeout: limits.TLS_HANDSHAKE_TIMEOUT_MS }, listener)
}

/** V8 samples seven instances. */
const ENOUGH = 10

/**
 * V8 sizes the objects of a class by the first instances that are alive when it decides. If a garbage collection runs
 * during the first few requests, it reserves too few slots, and every later request and response becomes a
 * dictionary-mode object, which takes 50 % longer to process. Creating the first instances here in one go prevents
 * that.
 */
function warmUpHttpShapes(): void {
  const socket = new Socket()
  const made: ServerResponse[] = []
  while (made.length < ENOUGH) {
    const response = new ServerResponse(new IncomingMessage(socket))
    response.writeHead(200, ['x', 'x']).end('x')
    made.push(response)
  }
}

import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { answerBrokenRequest } from './broken-request.ts'
import * as limits from './limits.ts'
import { settleShapes } from './settle-shapes.ts'

export interface TlsPair {
  cert: Buffer
  key: Buffer
}

/** Node's server with every limit set on purpose. */
export function createHttpServer(
  handler: RequestListener,
  tls: TlsPair | undefined,
  publicUrl: string,
): Server {
  settleShapes()
  const options = {
    // One limit for the request line and the headers together; the exact ones are checked in request-context.
    maxHeaderSize: limits.MAX_HEADER_BYTES + limits.MAX_URL_BYTES + 1024,
    headersTimeout: limits.HEADERS_TIMEOUT_MS,
    // Set for each request in request-context: some are streams of any length.
    requestTimeout: 0,
    keepAliveTimeout: limits.KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: 1_000,
    // Checked in request-context: Node's own answer would have neither body nor id.
    requireHostHeader: false,
  }
  const server = tls ? createTlsServer({ ...options, ...tls }, handler) : createServer(options, handler)
  server.maxConnections = limits.MAX_CONNECTIONS
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket as Socket, publicUrl))
  // An expectation we do not know is no reason for an answer without body and id.
  server.on('checkExpectation', handler)
  return server
}

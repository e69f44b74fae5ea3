import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { asObject, type JsonObject, parseJson } from '../json.ts'

/** A request as the receiver of a webhook sees it. */
export interface ReceivedRequest {
  /** The header `webhook-id`. */
  id: string
  path: string
  headers: IncomingHttpHeaders
  text: string
  event: JsonObject
  at: number
}

export type Respond = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>

export const ok: Respond = (_request, response) => void response.end('ok')
export const fails =
  (status = 500): Respond =>
  (_request, response) =>
    void response.writeHead(status).end('no')

export interface Receiver extends AsyncDisposable {
  url: string
  port: number
  /** Every request, in order of arrival. */
  requests: ReceivedRequest[]
  /** Connections that were accepted. */
  readonly connections: number
  respond: Respond
}

/** An HTTP server that receives webhooks. */
export async function startReceiver(
  options: { host?: string; tls?: { cert: string; key: string }; respond?: Respond } = {},
): Promise<Receiver> {
  const { host = '127.0.0.1', tls } = options
  const requests: ReceivedRequest[] = []
  let connections = 0
  const receiver = { respond: options.respond ?? ok }
  const handle: Parameters<typeof createServer>[1] = (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('error', () => {})
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8')
      const received = {
        id: String(request.headers['webhook-id']),
        path: request.url ?? '',
        headers: request.headers,
        text,
        event: asObject(parseJson(text)),
        at: Date.now(),
      }
      requests.push(received)
      void receiver.respond(received, response)
    })
  }
  const server = tls ? createTlsServer(tls, handle) : createServer(handle)
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${port}/hook`,
    port,
    requests,
    get connections() {
      return connections
    },
    get respond() {
      return receiver.respond
    },
    set respond(respond) {
      receiver.respond = respond
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A listener that nothing may reach: it counts connections. */
export async function startForbiddenListener(host: string, port = 0) {
  let connections = 0
  const server = createTcpServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    count: () => connections,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

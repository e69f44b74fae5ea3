import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { stopParsing } from '../http/pipeline/connections/pipelining.ts'
import { stopwatch } from '../kernel/clock.ts'
import { createServer } from '../kernel/node-http.ts'

/** More than the number of Prometheus servers that scrape one target. Further connections are closed immediately. */
const MAX_CONNECTIONS = 8
const MAX_HEADER_BYTES = 8 * 1024
/** Requests that are incomplete after this time are dropped. */
const REQUEST_TIMEOUT_MS = 5_000
/** A connection is closed after this time without traffic, for example because the client does not read. */
const IDLE_TIMEOUT_MS = 10_000
/** Scrapes within this time share one computation. */
const MAX_AGE_MS = 1_000

const TEXT = 'text/plain; charset=utf-8'

export interface MetricsServer {
  url: string
  close(): Promise<void>
}

interface MetricsServerOptions {
  host: string
  port: number
  contentType: string
  computeText(): Promise<string>
}

/**
 * Serves `GET /metrics` and nothing else, on an address that partners need not reach. The load does not depend on how
 * often, or by how many clients, the metrics are scraped.
 */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { host, port, contentType, computeText } = options
  const readText = shareForASecond(async () => Buffer.from(await computeText()))

  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: REQUEST_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    (request, response) => {
      // One request per connection: responses to pipelined requests would pile up if the client does not read them.
      stopParsing(request.socket)
      if (request.url?.split('?', 1)[0] !== '/metrics') send(response, 404, TEXT, 'Not found: try /metrics\n')
      else if (request.method !== 'GET' && request.method !== 'HEAD')
        send(response, 405, TEXT, 'Method not allowed\n', { allow: 'GET, HEAD' })
      else
        readText().then(
          (text) => send(response, 200, contentType, text),
          () => send(response, 500, TEXT, 'The metrics cannot be read.\n'),
        )
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  server.setTimeout(IDLE_TIMEOUT_MS)
  server.on('clientError', (_error, socket) => socket.destroy())
  server.listen({ host, port })
  await once(server, 'listening')

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: Buffer | string,
  headers: Record<string, string> = {},
): void {
  response.shouldKeepAlive = false
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(body)
}

/** Calls `compute` at most once a second and never concurrently; its failures are shared as well. */
function shareForASecond<T>(compute: () => Promise<T>): () => Promise<T> {
  let latest: { startedAt: number; result: Promise<T>; isPending: boolean } | undefined
  return () => {
    const now = stopwatch()
    if (latest && (latest.isPending || now - latest.startedAt < MAX_AGE_MS)) return latest.result
    const computation = { startedAt: now, result: compute(), isPending: true }
    const finish = (): void => void (computation.isPending = false)
    computation.result.then(finish, finish)
    latest = computation
    return computation.result
  }
}

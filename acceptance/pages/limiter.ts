import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const COUNTED = '/v2/metric-types'

export interface Limiter extends AsyncDisposable {
  url: string
  /** The statuses of the requests for the metric types. */
  statuses: number[]
}

/**
 * Forwards requests to the server, but responds to the first one for the metric types with 401, and to the next one
 * with 429.
 */
export async function startLimiter(baseUrl: string): Promise<Limiter> {
  const statuses: number[] = []
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await forward(new URL(request.url ?? '', baseUrl), request)
    if (request.url === COUNTED) statuses.push(answer.status)
    const type = answer.headers.get('content-type') ?? ''
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text())
  }
  const server = createServer((request, response) => {
    const refusal = request.url === COUNTED ? [401, 429][statuses.length] : undefined
    if (refusal !== undefined) {
      statuses.push(refusal)
      response
        .writeHead(refusal, { 'retry-after': '1', 'content-type': 'application/problem+json' })
        .end('{}')
      return
    }
    void pass(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v2`,
    statuses,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function forward(url: URL, request: IncomingMessage): Promise<Response> {
  const { authorization = '', siteid, 'idempotency-key': key, 'content-type': type } = request.headers
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = new Headers({ authorization })
  for (const [name, value] of Object.entries({ siteid, 'idempotency-key': key, 'content-type': type }))
    if (typeof value === 'string') headers.set(name, value)
  const method = request.method ?? 'GET'
  return fetch(url, { method, headers, ...(method === 'POST' ? { body: Buffer.concat(chunks) } : {}) })
}

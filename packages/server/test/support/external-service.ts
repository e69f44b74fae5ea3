import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export type Reply = (request: IncomingMessage, response: ServerResponse) => void

/** A local server that stands in for an external service. */
export interface FakeService {
  url: string
  /** Path and query of every request so far. */
  requests: string[]
  reply: Reply
}

export const json =
  (body: unknown, status = 200): Reply =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

export async function startFakeService(test: TestContext, reply: Reply): Promise<FakeService> {
  const service: FakeService = { url: '', requests: [], reply }
  const server = createServer((request, response) => {
    service.requests.push(request.url ?? '')
    service.reply(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  test.after(() => {
    server.closeAllConnections()
    server.close()
  })
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}

/** Ways in which a service can fail, for any request. */
export const FAILURES: Record<string, Reply> = {
  'an error 500': json({ error: { code: '500 Internal Server Error', message: 'down' } }, 500),
  'too many requests': json({ error: true, reason: 'limit exceeded' }, 429),
  'no JSON': (_request, response) => void response.end('<html>Bad gateway</html>'),
  'an empty body': (_request, response) => void response.end(),
  'JSON of another shape': json({ data: { current: 'fine' }, current: [] }),
  'JSON that is not an object': json(null),
  'deep JSON': (_request, response) => void response.end('['.repeat(60_000)),
  'a huge body': (_request, response) => {
    const chunk = Buffer.alloc(64 * 1024, ' ')
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more)
    more()
  },
  'a broken connection': (request) => void request.socket.destroy(),
}

/** Failures that last until the caller's timeout. */
export const STALLS: Record<string, Reply> = {
  'no answer': () => {},
  'half an answer': (_request, response) => void response.writeHead(200).write('{"data":'),
}

/** Short, for stalls; calls that must succeed get the timeout used in production. */
export const STALL_MS = 500

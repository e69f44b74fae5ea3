import { createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http'
import { findFreePort } from '../support/servers/free-port.ts'

export interface Passed {
  method: string
  path: string
  status: number
}

export interface Proxy extends AsyncDisposable {
  /** Stands for the origin of the server. */
  url: string
  /** The responses of the server, in order. */
  passed: Passed[]
  /** Closes the connection instead of passing on the next response to a request for which this holds. */
  cutNext(matches: (request: IncomingMessage) => boolean): void
}

/** Passes requests on to a server and counts them; can cut a connection after the server has processed a request. */
export async function startProxy(origin: string): Promise<Proxy> {
  const passed: Passed[] = []
  let cuts: ((request: IncomingMessage) => boolean) | undefined
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url = '', headers } = request
    const onward = sendRequest(new URL(url, origin), { method, headers }, (answer) => {
      passed.push({ method, path: url, status: answer.statusCode ?? 0 })
      if (cuts?.(request)) {
        cuts = undefined
        // The response is complete before the connection ends: the request has had its effect.
        answer.resume().once('end', () => request.socket.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    onward.once('error', () => request.socket.destroy())
    request.pipe(onward)
  }
  const server = createServer(pass)
  const port = await findFreePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    passed,
    cutNext: (matches) => {
      cuts = matches
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

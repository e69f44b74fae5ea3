import { createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http'
import { findFreePort } from '../support/servers/free-port.ts'

export interface Passed {
  method: string
  path: string
  status: number
}

export interface Proxy extends AsyncDisposable {
  /** Used in place of the origin of the server. */
  url: string
  /** The responses of the server, in order. */
  passed: Passed[]
  /**
   * Closes the connection instead of forwarding the next response to a request that matches; with `in-the-middle`,
   * after the first bytes of its body.
   */
  cutNext(matches: (request: IncomingMessage) => boolean, where?: 'in-the-middle'): void
}

/** Forwards requests to a server and counts them; can cut a connection after the server has processed a request. */
export async function startProxy(origin: string): Promise<Proxy> {
  const passed: Passed[] = []
  let cuts: ((request: IncomingMessage) => boolean) | undefined
  let isCutInside = false
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url = '', headers } = request
    const onward = sendRequest(new URL(url, origin), { method, headers }, (answer) => {
      passed.push({ method, path: url, status: answer.statusCode ?? 0 })
      if (cuts?.(request)) {
        cuts = undefined
        if (isCutInside) {
          response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
          answer.once('data', (bytes: Buffer) => {
            answer.pause()
            response.write(bytes.subarray(0, 8), () => request.socket.destroy())
          })
          return
        }
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
    cutNext: (matches, where) => {
      cuts = matches
      isCutInside = where === 'in-the-middle'
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

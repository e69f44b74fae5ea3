import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Starts calls at a fixed rate, however slow the responses are; each receives the time at which it was due. */
export async function atFixedRate(
  perSecond: number,
  count: number,
  call: (index: number, dueAt: number) => Promise<void>,
): Promise<void> {
  const calls: Promise<void>[] = []
  const start = performance.now()
  while (calls.length < count) {
    const dueAt = start + (calls.length * 1000) / perSecond
    const waitMs = dueAt - performance.now()
    if (waitMs > 0) await delay(waitMs)
    else calls.push(call(calls.length, dueAt))
  }
  await Promise.all(calls)
}

/** Makes all calls with this many in flight. */
export async function withConcurrency(
  lanes: number,
  count: number,
  call: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await call(next++)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

export interface Answer {
  text: string
  /** When the whole response had arrived, in milliseconds of `performance.now()`. */
  at: number
}

/** A partner's calls to a server, over persistent connections. */
export interface Caller {
  call(method: string, path: string, wantedStatus: number, body?: object): Promise<Answer>
  close(): void
}

/** Below CONNECTIONS_PER_ADDRESS of the server; calls beyond it wait for a connection. */
const MAX_CONNECTIONS = 200

export function createCaller(url: string, token: string, siteUuid: string): Caller {
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo', maxSockets: MAX_CONNECTIONS })
  const headers = { authorization: `Bearer ${token}`, siteid: siteUuid, 'content-type': 'application/json' }
  const call: Caller['call'] = (method, path, wantedStatus, body) =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, { method, agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => {
          const at = performance.now()
          if (response.statusCode === wantedStatus) resolve({ text, at })
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`))
        })
      })
      sent.once('error', (error: NodeJS.ErrnoException) => {
        // The server may close a connection that was idle just when it is used again.
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(call(method, path, wantedStatus, body))
        else reject(error)
      })
      sent.end(body && JSON.stringify(body))
    })
  return { call, close: () => agent.destroy() }
}

/** A percentile: the value that this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

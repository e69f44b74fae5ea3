import { logAnswer } from '../lib/log.ts'
import type { Services } from './services.ts'

/** An answer that was sent. */
export interface Answered {
  requestId: string
  method: string
  /** The route's pattern. */
  route: string
  /** Without the query: callers have been seen to put secrets there. */
  path: string
  status: number
  ms: number
  address: string
  clientId: string | undefined
}

/** Asked every few seconds by whatever watches the process: their lines would bury the others. */
const PROBES = new Set(['/live', '/ready', '/metrics'])

/** Every answer leaves one line and its counts. */
export function noteAnswer(
  { log, metrics }: Pick<Services, 'log' | 'metrics'>,
  { requestId, method, route, path, status, ms, address, clientId }: Answered,
): void {
  metrics.countAnswer(route, method, status, ms / 1000)
  const line = { traceId: requestId, method, path, status, ms: Math.round(ms * 10) / 10, address, clientId }
  logAnswer(log, PROBES.has(route) ? 'debug' : 'info', line)
}

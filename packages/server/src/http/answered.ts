import { logAnswer, mayLogRefusal } from '../lib/log.ts'
import { ANY_METHOD, NO_ROUTE } from '../metrics.ts'
import type { Services } from './services.ts'

/** An answer that was sent. */
export interface Answered {
  requestId: string
  method: string
  /** The route's pattern, or NO_ROUTE. */
  route: string
  /** Without the query: callers have been seen to put secrets there. */
  path: string
  status: number
  ms: number
  address: string
  clientId: string | undefined
}

/** Asked every few seconds by whatever watches the process: their lines would bury the others. */
const PROBES = new Set(['/live', '/ready'])

/**
 * Whether a request failed before a route's own code ran: an unknown address or method, missing or wrong credentials, or a malformed
 * request. These share one route label; otherwise, requests without a token could create a time series for each route, method and
 * status.
 */
const isUnrouted = ({ route, status, clientId }: Answered): boolean =>
  route === NO_ROUTE || status === 405 || (clientId === undefined && status >= 400)

/** Refused without an authenticated caller, or for exceeding a limit. Anyone can cause such responses at any rate. */
const isRefused = ({ status, clientId }: Answered): boolean =>
  status === 429 || (clientId === undefined && status >= 400 && status < 500)

/** Counts and logs every response; in a flood of refused requests, only the first of each second are logged. */
export function noteAnswer({ log, metrics }: Pick<Services, 'log' | 'metrics'>, answered: Answered): void {
  const { requestId, method, route, path, status, ms, address, clientId } = answered
  if (isUnrouted(answered)) metrics.countAnswer(NO_ROUTE, ANY_METHOD, status, ms / 1000)
  else metrics.countAnswer(route, method, status, ms / 1000)
  if (isRefused(answered) && !mayLogRefusal(log)) return
  const line = { traceId: requestId, method, path, status, ms: Math.round(ms * 10) / 10, address, clientId }
  logAnswer(log, PROBES.has(route) ? 'debug' : 'info', line)
}

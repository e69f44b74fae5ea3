import { ANY_METHOD, NO_ROUTE } from '../../kernel/http-metrics.ts'
import type { AccessLogEntry } from '../../kernel/access-log.ts'
import type { Services } from '../services.ts'

/** A response that was sent. */
export interface SentResponse extends AccessLogEntry {
  /** The route's pattern, or NO_ROUTE. */
  route: string
  /** The part of `ms` for which the client requested to wait: it says nothing about how fast the server is. */
  waitedMs: number
}

/** Health checks and requests for assets are frequent and would bury the other lines. */
const QUIET = new Set([
  '/live',
  '/ready',
  '/console/assets/:file',
  '/reference/documents/:document',
  '/reference/script/:file',
])

const isQuiet = ({ route, path }: SentResponse): boolean => QUIET.has(route) || path === '/favicon.ico'

/**
 * Whether a request failed before a route's own code ran: an unknown address or method, missing or wrong credentials,
 * or a malformed request. These share one route label; otherwise, requests without a token could create a time series
 * for each route, method and status.
 */
const isUnrouted = ({ route, status, clientId }: SentResponse): boolean =>
  route === NO_ROUTE || status === 405 || (clientId === undefined && status >= 400)

/** Rejected without an authenticated caller, or for exceeding a limit. Anyone can cause such responses at any rate. */
const isRefused = ({ status, clientId }: SentResponse): boolean =>
  status === 429 || (clientId === undefined && status >= 400 && status < 500)

/** Counts and logs every response; in a flood of rejected requests, only the first of each second are logged. */
export function recordResponse(
  { accessLog, metrics }: Pick<Services, 'accessLog' | 'metrics'>,
  sent: SentResponse,
): void {
  const { method, route, status } = sent
  const seconds = (sent.ms - sent.waitedMs) / 1000
  if (isUnrouted(sent)) metrics.http.count(NO_ROUTE, ANY_METHOD, status, seconds)
  else metrics.http.count(route, method, status, seconds)
  if (isRefused(sent) && !accessLog.mayLogRefusal()) return
  accessLog.write(isQuiet(sent) ? 'debug' : 'info', sent)
}

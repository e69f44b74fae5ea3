import type { OutgoingResult } from '../../kernel/outgoing-http.ts'
import type { AttemptError, ClaimedDelivery, DeliveryAttempt, DeliveryOutcome } from './delivery.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Pauses between the tries of one delivery: ten tries in 75 hours. */
const RETRY_AFTER_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
export const MAX_TRIES = RETRY_AFTER_MS.length + 1
export const RETRY_TOTAL_MS = RETRY_AFTER_MS.reduce((sum, ms) => sum + ms, 0)
/** Pauses vary by this share, so that the retries of many deliveries do not coincide. */
const JITTER = 0.1

/** The failed try after which a delivery no longer holds up its lane. */
export const GIVES_WAY_AFTER = 4
/**
 * Other events count as being delivered if one was within this period: the pause before the fourth try, with its
 * jitter.
 */
export const PASSING_MS = 33 * MINUTE_MS

/** Failures in a row, over all lanes, after which the endpoint itself counts as failing. */
export const MAX_FAILURES_IN_A_ROW = 5
const PROBE_AFTER_MS = [30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS]
const PROBE_EVERY_MS = 10 * MINUTE_MS
export const DISABLED_AFTER_MS = 5 * DAY_MS
const LONGEST_RETRY_AFTER_MS = DAY_MS

/** Deliveries of a webhook that are attempted at the same time. After a failure it starts with 1 and doubles. */
export const MAX_CONCURRENT = 8

export const MAX_REPLAYED = 100_000

/** The pause before the probe with this number, from 0. */
export const getProbeDelayMs = (probes: number): number => PROBE_AFTER_MS[probes] ?? PROBE_EVERY_MS

export const isSuccess = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300

/** What a response means for the endpoint as a whole. */
export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'gone' }
  /** The endpoint requested a pause (Retry-After). */
  | { kind: 'wait'; ms: number }
  | { kind: 'failed'; error: AttemptError }

export function toVerdict(result: OutgoingResult, now: number): Verdict {
  const { status } = result
  if (status === undefined) return { kind: 'failed', error: result.error }
  if (isSuccess(status)) return { kind: 'delivered' }
  if (status === 410) return { kind: 'gone' }
  const waitMs = parseRetryAfter(result.retryAfter, now)
  if (status === 429) return { kind: 'wait', ms: waitMs ?? getProbeDelayMs(0) }
  if (status === 503 && waitMs !== undefined) return { kind: 'wait', ms: waitMs }
  return { kind: 'failed', error: 'status' }
}

/** Retry-After in milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3), at most a day. */
function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * SECOND_MS : Date.parse(header) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, SECOND_MS), LONGEST_RETRY_AFTER_MS)
}

export function toAttempt(result: OutgoingResult, at: number, durationMs: number): DeliveryAttempt {
  const { status } = result
  if (status === undefined) return { at, status: null, error: result.error, durationMs, response: null }
  return {
    at,
    status,
    error: isSuccess(status) ? null : 'status',
    durationMs,
    response: result.response,
  }
}

/** The state of the endpoint while an attempt was made. */
export interface EndpointState {
  /** The endpoint is failing, or has just begun to fail: the attempt does not count as a try. */
  isFailing: boolean
  /** Other events are being delivered. */
  isPassing: boolean
}

/** What an attempt does to its delivery. `random` is from 0 to 1. */
export function decideOutcome(
  delivery: Pick<ClaimedDelivery, 'siteUuid' | 'webhookUuid' | 'number' | 'round' | 'tries' | 'givesWay'>,
  verdict: Verdict,
  attempt: DeliveryAttempt,
  { isFailing, isPassing }: EndpointState,
  now: number,
  random: number,
): DeliveryOutcome {
  const { siteUuid, webhookUuid, number, round, givesWay } = delivery
  const key = { siteUuid, webhookUuid, number, round }
  if (verdict.kind === 'delivered')
    return { key, attempt, state: 'delivered', tries: delivery.tries + 1, dueAt: now, givesWay }
  if (verdict.kind !== 'failed' || isFailing)
    return { key, attempt, state: 'waiting', tries: delivery.tries, dueAt: now, givesWay }
  const tries = delivery.tries + 1
  const pauseMs = RETRY_AFTER_MS[delivery.tries]
  if (pauseMs === undefined) return { key, attempt, state: 'failed', tries, dueAt: now, givesWay }
  const jitter = 1 + JITTER * (2 * random - 1)
  return {
    key,
    attempt,
    state: 'waiting',
    tries,
    dueAt: now + Math.round(pauseMs * jitter),
    givesWay: givesWay || (tries >= GIVES_WAY_AFTER && isPassing),
  }
}

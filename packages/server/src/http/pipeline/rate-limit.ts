import { AppError } from '../../kernel/errors.ts'
import { andThen, type MaybePromise } from '../../kernel/maybe-promise.ts'
import {
  type LimitRequest,
  type LimitVerdict,
  getRetryAfterSeconds,
  type LimitWindow,
} from '../../domain/identity/rate-limit/limits.ts'
import type { RateLimits } from '../../domain/identity/partner/partner.ts'
import type { Client } from '../../domain/identity/partner/store.ts'
import type { VerifiedClient } from '../../domain/identity/token/verify.ts'
import type { HeaderList } from './reply.ts'
import type { Services } from '../services.ts'

const MINUTE_MS = 60_000
const FIVE_MINUTES_MS = 5 * MINUTE_MS

/**
 * Refunds for 304 are limited to this many times the request limits: a client may poll for changes more often than it
 * may read, but each 304 takes processor time, so the number of free ones must be bounded.
 */
const REFUNDS_PER_REQUEST = 5

/**
 * A request costs at most this share of each limit; otherwise a partner with low limits could never send an expensive
 * query.
 */
const MAX_SHARE_OF_LIMIT = 1 / 3

/** A request's use of its limits, whether it was allowed or rejected. */
export interface Charge {
  use: LimitRequest
  verdicts: readonly LimitVerdict[]
  /** Units consumed so far. */
  cost: number
  /** Units returned since the verdicts. */
  refunded: number
  /** Whether all units of a 304 are refunded, not only one. */
  isWhollyRefundable?: boolean
}

/** A request that can be charged. */
export interface Chargeable {
  caller: VerifiedClient | undefined
  charge: Charge | undefined
}

export interface RemainingRequests {
  perMinute: number
  per5Minutes: number
}

/** Limits are counted for each partner and site. */
export const toLimitKey = (partnerUuid: string, siteUuid: string): string => `${partnerUuid} ${siteUuid}`

/** Two sliding windows per partner and site, over both versions of the API together. */
export interface RequestLimits {
  /** Consumes one unit. Beyond the limits, returns `rate-limited`. */
  consume(call: Chargeable, key: string): MaybePromise<AppError | undefined>
  /**
   * Consumes what a request costs beyond its first unit; call it once, before anything is computed. If the limits are
   * exceeded, it refunds the first unit, so that a rejected request consumes nothing, and throws `rate-limited`.
   */
  consumeRest(call: Chargeable, cost: number): MaybePromise<void>
  /** The remaining requests of a partner's backend for a site; undefined if requests are not limited. */
  readRemaining(client: Client, siteUuid: string): MaybePromise<RemainingRequests | undefined>
  /** Refunds one unit for a 304, or all units if the charge says so, within the refund limits. */
  refund(call: Chargeable): MaybePromise<void>
}

export function createRequestLimits({
  limits,
  isRateLimited,
  rateLimits,
}: Pick<Services, 'limits' | 'isRateLimited' | 'rateLimits'>): RequestLimits {
  const toUse = (caller: VerifiedClient | undefined, key: string): LimitRequest =>
    caller?.sessionId === undefined ? toPartnerUse(caller?.rateLimits, key) : consoleLimit(caller.partnerUuid)

  const toPartnerUse = (own: RateLimits | undefined, key: string): LimitRequest => {
    const windows = [
      { limit: own?.perMinute ?? rateLimits.perMinute, ms: MINUTE_MS },
      { limit: own?.per5Minutes ?? rateLimits.per5Minutes, ms: FIVE_MINUTES_MS },
    ]
    return { kind: 'requests', key, windows }
  }

  return {
    consume(call, key) {
      if (!isRateLimited) return undefined
      const use = toUse(call.caller, key)
      return andThen(limits.consume(use), (verdicts) => {
        call.charge = { use, verdicts, cost: 1, refunded: 0 }
        return checkRoom(call.charge)
      })
    },
    readRemaining({ partnerUuid, rateLimits: own }, siteUuid) {
      if (!isRateLimited) return undefined
      const use = { ...toPartnerUse(own, toLimitKey(partnerUuid, siteUuid)), cost: 0 }
      return andThen(limits.consume(use), (verdicts) => {
        const [perMinute, per5Minutes] = verdicts.map(({ remaining }) => Math.max(0, remaining))
        return perMinute === undefined || per5Minutes === undefined ? undefined : { perMinute, per5Minutes }
      })
    },
    consumeRest(call, estimated) {
      const first = call.charge
      if (!first) return undefined
      const cost = capCost(estimated, first.use.windows)
      if (cost <= first.cost) return undefined
      const use = { ...first.use, cost: cost - first.cost }
      return andThen(limits.consume(use), (verdicts) => {
        if (getRetryAfterSeconds(verdicts) === undefined) {
          call.charge = { use, verdicts, cost, refunded: 0 }
          return undefined
        }
        return andThen(limits.refund(first.use), () => {
          call.charge = { use, verdicts, cost, refunded: 1 }
          const refusal = checkRoom(call.charge)
          if (refusal) throw refusal
        })
      })
    },
    refund(call) {
      const { charge } = call
      if (!charge) return undefined
      const units = charge.isWhollyRefundable ? charge.cost : 1
      const use = { ...charge.use, cost: units }
      return andThen(limits.refund(use, toRefundLimit(use)), (isRefunded) => {
        if (isRefunded) call.charge = { ...charge, cost: charge.cost - units, refunded: units }
      })
    },
  }
}

/**
 * Tokens of console sessions have a separate limit per partner: using the console never consumes the limit of the
 * partner's backend.
 */
export const consoleLimit = (partnerUuid: string): LimitRequest => ({
  kind: 'requests',
  key: `console ${partnerUuid}`,
  windows: CONSOLE,
})

const CONSOLE: LimitWindow[] = [{ limit: 300, ms: MINUTE_MS }]

const capCost = (cost: number, windows: readonly LimitWindow[]): number =>
  Math.min(cost, ...windows.map(({ limit }) => Math.max(1, Math.floor(limit * MAX_SHARE_OF_LIMIT))))

const toRefundLimit = ({ windows, ...use }: LimitRequest): LimitRequest => ({
  ...use,
  kind: 'refunds',
  windows: windows.map(({ limit, ms }) => ({ limit: limit * REFUNDS_PER_REQUEST, ms })),
})

function checkRoom({ use, verdicts, cost }: Charge): AppError | undefined {
  const retryAfterSeconds = getRetryAfterSeconds(verdicts)
  if (retryAfterSeconds === undefined) return undefined
  const [minute, fiveMinutes] = use.windows
  const more = fiveMinutes ? ` and ${fiveMinutes.limit} per five minutes` : ' from the console'
  const limit = `At most ${minute?.limit} requests per minute${more} are allowed`
  const detail = cost === 1 ? `${limit}.` : `${limit}; this request counts as ${cost}.`
  return new AppError('rate-limited', detail, { retryAfterSeconds })
}

/** Limit and remaining units of each window. */
const WINDOW_HEADERS = [
  ['x-ratelimit-limit', 'x-ratelimit-remaining'],
  ['x-ratelimit-limit-5m', 'x-ratelimit-remaining-5m'],
] as const

export function addRateLimitHeaders(headers: HeaderList, { use, verdicts, cost, refunded }: Charge): void {
  headers.push('x-ratelimit-cost', cost)
  const isRefused = getRetryAfterSeconds(verdicts) !== undefined
  for (let index = 0; index < WINDOW_HEADERS.length; index += 1) {
    const names = WINDOW_HEADERS[index]
    const window = use.windows[index]
    const verdict = verdicts[index]
    if (!names || !window || !verdict) continue
    // If one window lacks room, nothing is consumed from the others either.
    const unconsumed = isRefused && verdict.allowed ? (use.cost ?? 1) : 0
    const remaining = verdict.remaining + unconsumed + refunded
    headers.push(names[0], window.limit, names[1], remaining)
  }
}

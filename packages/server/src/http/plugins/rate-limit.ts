import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Client } from '../../partner/store.ts'
import { type Use, type Verdict, waitOf, type Window } from '../../limit/limits.ts'
import type { Services } from '../services.ts'
import { callerOf } from './bearer-auth.ts'

const MINUTE_MS = 60_000
const FIVE_MINUTES_MS = 5 * MINUTE_MS

/**
 * Refunds for 304 are limited to this many times the request limits: a client may poll for changes more often than it may read,
 * but each 304 takes processor time, so the number of free ones must be bounded.
 */
const REFUNDS_PER_REQUEST = 5

/** A request costs at most this share of each limit; otherwise a partner with low limits could never send an expensive query. */
const MAX_SHARE_OF_LIMIT = 1 / 3

/** Two sliding windows per partner and site, over both versions of the API together. */
export interface RequestLimits {
  /** Consumes one unit, sets the X-RateLimit headers, and throws `rate-limited` beyond the limits. */
  count(request: FastifyRequest, reply: FastifyReply, key: string): Promise<void>
  /** For requests without a site. */
  countPartner(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The same without waiting: undefined where that cannot be, or where it is one too many, which then is not counted. */
  countAtOnce(caller: Client, key: string): CountedAtOnce | undefined
  /**
   * Consumes what a counted request costs beyond its first unit; call it once, before anything is computed. If the limits are
   * exceeded, it refunds the first unit, so that a rejected request consumes nothing, and throws `rate-limited`.
   */
  consume(request: FastifyRequest, reply: FastifyReply, cost: number): Promise<void>
  /** Refunds one unit for a 304, within the refund limits. */
  giveBack(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** A request that was counted: the headers that say so, and those after it was given back. */
export interface CountedAtOnce {
  headers(): LimitHeaders
  /** Refunds the unit for a 304, within the refund limits. */
  giveBack(): LimitHeaders
  /** Refunds the unit of a request that is counted again elsewhere. */
  cancel(): void
}

type LimitHeaders = Record<string, number | undefined>

interface CountedUse {
  use: Use
  verdicts: readonly Verdict[]
  /** Units consumed so far. */
  cost: number
}

const UNLIMITED: CountedAtOnce = { headers: () => ({}), giveBack: () => ({}), cancel: () => {} }

export function createRequestLimits({ limits, isRateLimited, rateLimits }: Services): RequestLimits {
  const counted = new WeakMap<FastifyRequest, CountedUse>()

  const useOf = (caller: Client, key: string): Use => {
    const { perMinute, per5Minutes } = { ...rateLimits, ...caller.rateLimits }
    const windows = [
      { limit: perMinute, ms: MINUTE_MS },
      { limit: per5Minutes, ms: FIVE_MINUTES_MS },
    ]
    return { what: 'requests', key, windows }
  }

  const count: RequestLimits['count'] = async (request, reply, key) => {
    if (!isRateLimited) return
    const use = useOf(callerOf(request), key)
    const verdicts = await limits.take(use)
    const now = { use, verdicts, cost: 1 }
    reply.headers(headersOf(now, 0))
    requireRoom(now)
    counted.set(request, now)
  }

  return {
    count,
    countAtOnce(caller, key) {
      const { atOnce } = limits
      if (!isRateLimited) return UNLIMITED
      const use = useOf(caller, key)
      const verdicts = atOnce?.take(use)
      if (!atOnce || !verdicts || waitOf(verdicts) !== undefined) return undefined
      const now = { use, verdicts, cost: 1 }
      return {
        headers: () => headersOf(now, 0),
        giveBack() {
          if (waitOf(atOnce.take(toRefund(use))) !== undefined) return headersOf(now, 0)
          atOnce.giveBack(use)
          return headersOf({ ...now, cost: 0 }, 1)
        },
        cancel: () => atOnce.giveBack(use),
      }
    },
    countPartner: (request, reply) => count(request, reply, callerOf(request).partnerUuid),
    async consume(request, reply, asked) {
      const first = counted.get(request)
      if (!first) return
      const cost = capCost(asked, first.use.windows)
      if (cost <= first.cost) return
      const use = { ...first.use, cost: cost - first.cost }
      const now = { use, verdicts: await limits.take(use), cost }
      if (waitOf(now.verdicts) === undefined) {
        counted.set(request, now)
        reply.headers(headersOf(now, 0))
        return
      }
      counted.delete(request)
      await limits.giveBack(first.use)
      reply.headers(headersOf(now, 1))
      requireRoom(now)
    },
    async giveBack(request, reply) {
      const known = counted.get(request)
      if (!known) return
      if (waitOf(await limits.take(toRefund(known.use))) !== undefined) return
      await limits.giveBack({ ...known.use, cost: 1 })
      reply.headers(headersOf({ ...known, cost: known.cost - 1 }, 1))
    },
  }
}

const capCost = (cost: number, windows: readonly Window[]): number =>
  Math.min(cost, ...windows.map(({ limit }) => Math.max(1, Math.floor(limit * MAX_SHARE_OF_LIMIT))))

const toRefund = ({ key, windows }: Use): Use => ({
  what: 'refunds',
  key,
  windows: windows.map(({ limit, ms }) => ({ limit: limit * REFUNDS_PER_REQUEST, ms })),
})

function requireRoom({ use, verdicts, cost }: CountedUse): void {
  const retryAfterSeconds = waitOf(verdicts)
  if (retryAfterSeconds === undefined) return
  const [minute, fiveMinutes] = use.windows
  const limit = `At most ${minute?.limit} requests a minute and ${fiveMinutes?.limit} in five minutes`
  const detail = cost === 1 ? `${limit}.` : `${limit}; this one counts as ${cost}.`
  throw new AppError('rate-limited', detail, { retryAfterSeconds })
}

/** `refunded`: units returned since the verdicts. */
function headersOf({ use, verdicts, cost }: CountedUse, refunded: number): LimitHeaders {
  const isRefused = waitOf(verdicts) !== undefined
  const [minute, fiveMinutes] = use.windows.map(({ limit }, index) => {
    const verdict = verdicts[index]
    // If one window lacks room, nothing is consumed from the others either.
    const unconsumed = isRefused && verdict?.allowed ? (use.cost ?? 1) : 0
    return { limit, left: (verdict?.remaining ?? 0) + unconsumed + refunded }
  })
  return {
    'x-ratelimit-cost': cost,
    'x-ratelimit-limit': minute?.limit,
    'x-ratelimit-remaining': minute?.left,
    'x-ratelimit-limit-5m': fiveMinutes?.limit,
    'x-ratelimit-remaining-5m': fiveMinutes?.left,
  }
}

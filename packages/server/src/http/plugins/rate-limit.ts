import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Client } from '../../partner/store.ts'
import { type Use, type Verdict, waitOf } from '../../limit/limits.ts'
import type { Services } from '../services.ts'
import { callerOf } from './bearer-auth.ts'

const MINUTE_MS = 60_000
const FIVE_MINUTES_MS = 5 * MINUTE_MS

/** Two sliding windows per partner and site, over both versions of the API together. */
export interface RequestLimits {
  /** Counts the request, sets the X-RateLimit headers, and throws `rate-limited` beyond the limits. */
  count(request: FastifyRequest, reply: FastifyReply, key: string): Promise<void>
  /** For requests without a site. */
  countPartner(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The same without waiting: undefined where that cannot be, or where it is one too many, which then is not counted. */
  countAtOnce(caller: Client, key: string): CountedAtOnce | undefined
  /** A 304 cost the caller nothing. */
  giveBack(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** A request that was counted: the headers that say so, and those after it was given back. */
export interface CountedAtOnce {
  headers(): LimitHeaders
  giveBack(): LimitHeaders
}

type LimitHeaders = Record<string, number | undefined>

interface CountedUse {
  use: Use
  verdicts: readonly Verdict[]
}

const UNLIMITED: CountedAtOnce = { headers: () => ({}), giveBack: () => ({}) }

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
    reply.headers(headersOf({ use, verdicts }, 0))
    const retryAfterSeconds = waitOf(verdicts)
    if (retryAfterSeconds !== undefined) {
      const [minute, fiveMinutes] = use.windows
      const detail = `At most ${minute?.limit} requests a minute and ${fiveMinutes?.limit} in five minutes.`
      throw new AppError('rate-limited', detail, { retryAfterSeconds })
    }
    counted.set(request, { use, verdicts })
  }

  return {
    count,
    countAtOnce(caller, key) {
      if (!isRateLimited) return UNLIMITED
      const use = useOf(caller, key)
      const verdicts = limits.atOnce?.take(use)
      if (!verdicts || waitOf(verdicts) !== undefined) return undefined
      return {
        headers: () => headersOf({ use, verdicts }, 0),
        giveBack() {
          limits.atOnce?.giveBack(use)
          return headersOf({ use, verdicts }, 1)
        },
      }
    },
    countPartner: (request, reply) => count(request, reply, callerOf(request).partnerUuid),
    async giveBack(request, reply) {
      const known = counted.get(request)
      if (!known) return
      await limits.giveBack(known.use)
      reply.headers(headersOf(known, 1))
    },
  }
}

function headersOf({ use, verdicts }: CountedUse, givenBack: number): LimitHeaders {
  const [minute, fiveMinutes] = use.windows.map(({ limit }, index) => {
    const verdict = verdicts[index]
    return { limit, left: verdict?.allowed ? verdict.remaining + givenBack : 0 }
  })
  return {
    'x-ratelimit-limit': minute?.limit,
    'x-ratelimit-remaining': minute?.left,
    'x-ratelimit-limit-5m': fiveMinutes?.limit,
    'x-ratelimit-remaining-5m': fiveMinutes?.left,
  }
}

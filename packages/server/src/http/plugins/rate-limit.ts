import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
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
  /** A 304 cost the caller nothing. */
  giveBack(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

interface CountedUse {
  use: Use
  verdicts: readonly Verdict[]
}

export function createRequestLimits({ limits, isRateLimited, rateLimits }: Services): RequestLimits {
  const counted = new WeakMap<FastifyRequest, CountedUse>()

  const useOf = (request: FastifyRequest, key: string): Use => {
    const { perMinute, per5Minutes } = { ...rateLimits, ...callerOf(request).rateLimits }
    const windows = [
      { limit: perMinute, ms: MINUTE_MS },
      { limit: per5Minutes, ms: FIVE_MINUTES_MS },
    ]
    return { what: 'requests', key, windows }
  }

  const count: RequestLimits['count'] = async (request, reply, key) => {
    if (!isRateLimited) return
    const use = useOf(request, key)
    const verdicts = await limits.take(use)
    show(reply, { use, verdicts }, 0)
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
    countPartner: (request, reply) => count(request, reply, callerOf(request).partnerUuid),
    async giveBack(request, reply) {
      const known = counted.get(request)
      if (!known) return
      await limits.giveBack(known.use)
      show(reply, known, 1)
    },
  }
}

function show(reply: FastifyReply, { use, verdicts }: CountedUse, givenBack: number): void {
  const [minute, fiveMinutes] = use.windows.map(({ limit }, index) => {
    const verdict = verdicts[index]
    return { limit, left: verdict?.allowed ? verdict.remaining + givenBack : 0 }
  })
  reply.headers({
    'x-ratelimit-limit': minute?.limit,
    'x-ratelimit-remaining': minute?.left,
    'x-ratelimit-limit-5m': fiveMinutes?.limit,
    'x-ratelimit-remaining-5m': fiveMinutes?.left,
  })
}

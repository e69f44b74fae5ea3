import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { SlidingWindow } from '../../lib/sliding-window.ts'
import type { Services } from '../services.ts'
import { callerOf } from './bearer-auth.ts'

const MINUTE_MS = 60_000
const FIVE_MINUTES_MS = 5 * MINUTE_MS

/** Two sliding windows per partner and site, over both versions of the API together. */
export interface RequestLimits {
  /** Counts the request, sets the X-RateLimit headers, and throws `rate-limited` beyond the limits. */
  count(request: FastifyRequest, reply: FastifyReply, key: string): void
  /** For requests without a site. */
  countPartner(request: FastifyRequest, reply: FastifyReply): void
  /** A 304 cost the caller nothing. */
  giveBack(request: FastifyRequest, reply: FastifyReply): void
}

export function createRequestLimits({ clock, isRateLimited, rateLimits }: Services): RequestLimits {
  const minute = new SlidingWindow({ limit: rateLimits.perMinute, windowMs: MINUTE_MS, clock })
  const fiveMinutes = new SlidingWindow({ limit: rateLimits.per5Minutes, windowMs: FIVE_MINUTES_MS, clock })
  const keys = new WeakMap<FastifyRequest, string>()

  const limitsFor = (request: FastifyRequest): { perMinute: number; per5Minutes: number } => ({
    ...rateLimits,
    ...callerOf(request).rateLimits,
  })

  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    remaining: number,
    remaining5: number,
  ): void => {
    const { perMinute, per5Minutes } = limitsFor(request)
    reply.headers({
      'x-ratelimit-limit': perMinute,
      'x-ratelimit-remaining': Math.max(0, remaining),
      'x-ratelimit-limit-5m': per5Minutes,
      'x-ratelimit-remaining-5m': Math.max(0, remaining5),
    })
  }

  const limits: RequestLimits = {
    count(request, reply, key) {
      if (!isRateLimited) return
      const { perMinute, per5Minutes } = limitsFor(request)
      const one = minute.look(key, perMinute)
      const five = fiveMinutes.look(key, per5Minutes)
      show(request, reply, one.allowed ? one.remaining : 0, five.allowed ? five.remaining : 0)
      if (!one.allowed || !five.allowed) {
        const waits = [one, five].flatMap((verdict) => (verdict.allowed ? [] : [verdict.retryAfterSeconds]))
        throw new AppError(
          'rate-limited',
          `At most ${perMinute} requests a minute and ${per5Minutes} in five minutes.`,
          {
            retryAfterSeconds: Math.max(...waits),
          },
        )
      }
      minute.take(key, perMinute)
      fiveMinutes.take(key, per5Minutes)
      keys.set(request, key)
    },
    countPartner: (request, reply) => limits.count(request, reply, callerOf(request).partnerUuid),
    giveBack(request, reply) {
      const key = keys.get(request)
      if (key === undefined) return
      minute.giveBack(key)
      fiveMinutes.giveBack(key)
      const { perMinute, per5Minutes } = limitsFor(request)
      const left = (verdict: ReturnType<SlidingWindow['look']>): number =>
        verdict.allowed ? verdict.remaining + 1 : 0
      show(request, reply, left(minute.look(key, perMinute)), left(fiveMinutes.look(key, per5Minutes)))
    },
  }
  return limits
}

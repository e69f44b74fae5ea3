import { setImmediate as nextLoopIteration } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'
import type { Services } from '../services.ts'
import { callerOf } from './bearer-auth.ts'
import type { RequestLimits } from './rate-limit.ts'

/** Expensive queries of all partners that this process computes concurrently: each holds memory until it is answered. */
const MAX_RUNNING = 4

/** Expensive queries of one partner that may wait while another one is computed. With RATE_LIMIT=off there is no bound. */
const MAX_WAITING_PER_PARTNER = 8

const RETRY_AFTER_SECONDS = 5

export interface ExpensiveQueries {
  /**
   * Charges a query's cost, then computes it. Queries of one partner that cost more than one unit are computed one after another.
   * Returns undefined if the client closed the connection while its query was waiting; the query is then not computed.
   */
  run<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    cost: number,
    compute: () => Promise<T>,
  ): Promise<T | undefined>
}

export function createExpensiveQueries({ isRateLimited }: Services, limits: RequestLimits): ExpensiveQueries {
  const queue = createFairQueue({
    maxRunning: MAX_RUNNING,
    maxWaitingPerKey: isRateLimited ? MAX_WAITING_PER_PARTNER : Number.POSITIVE_INFINITY,
  })
  return {
    async run(request, reply, cost, compute) {
      if (cost <= 1) return compute()
      const ticket = queue.enter(callerOf(request).partnerUuid)
      if (!ticket) {
        const detail = `At most ${MAX_WAITING_PER_PARTNER} expensive queries of a partner may wait at the same time.`
        throw new AppError('rate-limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS })
      }
      try {
        await limits.consume(request, reply, cost)
        await Promise.race([ticket.turn, untilClosed(reply)])
        // Without a break between queries, a series of them would block all other requests.
        await nextLoopIteration()
        // Among pipelined requests, only the first response is attached to the socket and is notified when it closes.
        if (reply.raw.destroyed || request.raw.socket.destroyed) {
          reply.hijack()
          return undefined
        }
        return await compute()
      } finally {
        ticket.leave()
      }
    },
  }
}

const untilClosed = ({ raw }: FastifyReply): Promise<void> =>
  new Promise((resolve) => {
    if (raw.destroyed) resolve()
    else raw.once('close', resolve)
  })

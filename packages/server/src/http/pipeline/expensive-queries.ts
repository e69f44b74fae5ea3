import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextLoopIteration } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { createFairQueue } from '../../kernel/fair-queue.ts'
import type { MaybePromise } from '../../kernel/maybe-promise.ts'
import type { Client } from '../../domain/identity/partner/store.ts'
import type { Services } from '../services.ts'
import type { Chargeable, RequestLimits } from './rate-limit.ts'

/**
 * Expensive queries that this process computes concurrently, over all partners: each holds memory until its response
 * is sent.
 */
const MAX_RUNNING = 4

/**
 * Expensive queries of one partner that may wait while another one is computed. With RATE_LIMIT=off there is no bound.
 */
const MAX_WAITING_PER_PARTNER = 8

const RETRY_AFTER_SECONDS = 5

interface QueryCall extends Chargeable {
  readonly caller: Client
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export interface ExpensiveQueries {
  /**
   * Charges a query's cost, then computes it. Queries of one partner that cost more than one unit are computed one
   * after another. Returns undefined if the client closed the connection while its query was waiting; the query is
   * then not computed.
   */
  run<T>(call: QueryCall, cost: number, compute: () => MaybePromise<T>): MaybePromise<T | undefined>
  /**
   * Like `run`, for a request of many series. Its cost follows from their number rather than from its work, so it is
   * always queued, and the whole cost of a 304 is refunded.
   */
  runBatch<T>(call: QueryCall, cost: number, compute: () => MaybePromise<T>): Promise<T | undefined>
}

export function createExpensiveQueries(
  { isRateLimited }: Pick<Services, 'isRateLimited'>,
  limits: RequestLimits,
): ExpensiveQueries {
  const queue = createFairQueue({
    maxRunning: MAX_RUNNING,
    maxWaitingPerKey: isRateLimited ? MAX_WAITING_PER_PARTNER : Number.POSITIVE_INFINITY,
  })

  const runInTurn = async <T>(
    call: QueryCall,
    cost: number,
    compute: () => MaybePromise<T>,
  ): Promise<T | undefined> => {
    const ticket = queue.enter(call.caller.partnerUuid)
    if (!ticket) {
      const detail = `At most ${MAX_WAITING_PER_PARTNER} expensive queries of a partner may wait at the same time; retry later.`
      throw new AppError('rate-limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    try {
      await limits.consumeRest(call, cost)
      await Promise.race([ticket.turn, untilClosed(call.response)])
      // Without a break between queries, a series of them would block all other requests.
      await nextLoopIteration()
      // Among pipelined requests, only the first response is attached to the socket and is notified when it closes.
      if (call.response.destroyed || call.request.socket.destroyed) return undefined
      return await compute()
    } finally {
      ticket.leave()
    }
  }

  return {
    run: (call, cost, compute) => (cost <= 1 ? compute() : runInTurn(call, cost, compute)),
    runBatch: (call, cost, compute) =>
      runInTurn(call, cost, () => {
        if (call.charge) call.charge.isWhollyRefundable = true
        return compute()
      }),
  }
}

const untilClosed = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed) resolve()
    else response.once('close', resolve)
  })

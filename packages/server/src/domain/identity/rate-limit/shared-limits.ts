import type { Clock } from '../../../kernel/clock.ts'
import { checkWindow } from './sliding-window.ts'
import type { MaybePromise } from '../../../kernel/maybe-promise.ts'
import { getRetryAfterSeconds, type LimitVerdict, type LimitRequest, type Limits } from './limits.ts'
import type { SharedCounters } from './shared-counters.ts'

/** While the shared counters are unavailable, one request per interval checks whether they are back. */
const TRY_EVERY_MS = 1_000

/** Limits across several instances. While the shared counters are unavailable, this process counts alone. */
export function sharedLimits(deps: {
  counts: SharedCounters
  own: Limits
  clock: Clock
  /** Called with the reason when the counters become unavailable, and without one when they are back. */
  onChange(reason?: unknown): void
}): Limits {
  const { counts, own, clock, onChange } = deps
  let triedAt: number | undefined

  /** False if the clock was set back in the meantime. */
  const isPaused = (now: number): boolean =>
    triedAt !== undefined && now >= triedAt && now < triedAt + TRY_EVERY_MS

  const withFallback = async <T>(shared: () => Promise<T>, alone: () => MaybePromise<T>): Promise<T> => {
    const now = clock.now()
    if (isPaused(now)) return alone()
    const wasUnavailable = triedAt !== undefined
    if (wasUnavailable) triedAt = now
    try {
      const result = await shared()
      if (wasUnavailable) {
        triedAt = undefined
        onChange()
      }
      return result
    } catch (error) {
      // Many concurrent requests may fail; only the first one reports it.
      if (triedAt === undefined) onChange(error)
      triedAt = clock.now()
      return alone()
    }
  }

  const consumeShared = async (use: LimitRequest): Promise<LimitVerdict[]> => {
    const { now, windows } = await counts.consume(use)
    return windows.map(({ window, buckets }) => checkWindow(buckets, window, now, use.cost))
  }

  return {
    consume: (use) =>
      withFallback(
        () => consumeShared(use),
        () => own.consume(use),
      ),
    refund: (use, refundLimit) =>
      withFallback(
        async () => {
          if (refundLimit && getRetryAfterSeconds(await consumeShared(refundLimit)) !== undefined)
            return false
          await counts.refund(use)
          return true
        },
        () => own.refund(use, refundLimit),
      ),
  }
}

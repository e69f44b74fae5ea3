import type { Clock } from '../../../kernel/clock.ts'
import { checkWindow } from './sliding-window.ts'
import type { MaybePromise } from '../../../kernel/maybe-promise.ts'
import type { Limits } from './limits.ts'
import type { SharedCounters } from './shared-counters.ts'

/** While the shared counts are away, one request this often finds out whether they are back. */
const TRY_EVERY_MS = 1_000

/** Limits over several instances. While the shared counts cannot be reached, this process counts alone. */
export function sharedLimits(deps: {
  counts: SharedCounters
  own: Limits
  clock: Clock
  /** Called with the reason when the counts are lost, and without one when they are back. */
  onChange(reason?: unknown): void
}): Limits {
  const { counts, own, clock, onChange } = deps
  let triedAt: number | undefined

  /** Also where the clock was set back meanwhile. */
  const isLeftAlone = (now: number): boolean =>
    triedAt !== undefined && now >= triedAt && now < triedAt + TRY_EVERY_MS

  const withFallback = async <T>(together: () => Promise<T>, alone: () => MaybePromise<T>): Promise<T> => {
    const now = clock.now()
    if (isLeftAlone(now)) return alone()
    const wasAway = triedAt !== undefined
    if (wasAway) triedAt = now
    try {
      const result = await together()
      if (wasAway) {
        triedAt = undefined
        onChange()
      }
      return result
    } catch (error) {
      // Of many that were under way at once, the first one tells.
      if (triedAt === undefined) onChange(error)
      triedAt = clock.now()
      return alone()
    }
  }

  return {
    consume: (use) =>
      withFallback(
        async () => {
          const { now, windows } = await counts.consume(use)
          return windows.map(({ window, buckets }) => checkWindow(buckets, window, now, use.cost))
        },
        () => own.consume(use),
      ),
    refund: (use) =>
      withFallback(
        () => counts.refund(use),
        () => own.refund(use),
      ),
  }
}

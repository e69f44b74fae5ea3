import { BoundedCache } from '../../../kernel/cache.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type WindowCounters, advanceTo, checkWindow } from './sliding-window.ts'
import {
  getRetryAfterSeconds,
  type Limits,
  type LimitRequest,
  type LimitVerdict,
  type LimitWindow,
} from './limits.ts'

const MAX_KEYS = 100_000

/** Rate limits with counters in the memory of this process. */
export function inMemoryLimits(clock: Clock, maxKeys = MAX_KEYS): Limits {
  // One bounded table per kind and window: a caller that can invent keys of one kind must not evict those of another.
  const tables = new Map<string, Map<number, BoundedCache<string, WindowCounters>>>()

  const getTable = (kind: string, ms: number): BoundedCache<string, WindowCounters> => {
    let byLength = tables.get(kind)
    if (!byLength) tables.set(kind, (byLength = new Map()))
    let table = byLength.get(ms)
    if (!table) byLength.set(ms, (table = new BoundedCache(maxKeys)))
    return table
  }

  const find = ({ kind, key }: LimitRequest, { ms }: LimitWindow, now: number): WindowCounters => {
    const table = getTable(kind, ms)
    const last = table.get(key)
    const buckets = advanceTo(now, ms, last)
    if (buckets !== last) table.set(key, buckets)
    return buckets
  }

  const consume = (use: LimitRequest): LimitVerdict[] => {
    const now = clock.now()
    const { cost = 1 } = use
    const counters: WindowCounters[] = []
    const verdicts: LimitVerdict[] = []
    let isAllowed = true
    for (const window of use.windows) {
      const buckets = find(use, window, now)
      const verdict = checkWindow(buckets, window, now, cost)
      isAllowed &&= verdict.allowed
      counters.push(buckets)
      verdicts.push(verdict)
    }
    if (isAllowed) for (const buckets of counters) buckets.current += cost
    return verdicts
  }

  return {
    consume,
    refund(use, refundLimit) {
      if (refundLimit && getRetryAfterSeconds(consume(refundLimit)) !== undefined) return false
      const now = clock.now()
      for (const window of use.windows) {
        const buckets = find(use, window, now)
        buckets.current = Math.max(0, buckets.current - (use.cost ?? 1))
      }
      return true
    },
  }
}

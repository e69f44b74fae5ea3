import type { Config } from '../config/config.ts'
import { systemClock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { inMemoryLimits } from '../domain/identity/rate-limit/in-memory.ts'
import type { Limits } from '../domain/identity/rate-limit/limits.ts'
import { sharedLimits } from '../domain/identity/rate-limit/shared-limits.ts'
import type { SharedCounters } from '../domain/identity/rate-limit/shared-counters.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { getSharedState, type Store } from '../store/store.ts'

/** Counters of this server alone, or shared with other instances. */
export async function createLimits(
  config: Config,
  store: Pick<Store, 'shared'>,
  metrics: Metrics,
  log: Log,
): Promise<{ limits: Limits; closeLimits(): Promise<void> }> {
  const own = inMemoryLimits(systemClock)
  const shared = await openSharedCounters()
  if (!shared) return { limits: own, closeLimits: async () => {} }
  const { by, counts } = shared
  const show = (isShared: boolean): void => metrics.limitsShared.set({ by }, isShared ? 1 : 0)
  show(true)
  const limits = sharedLimits({
    counts,
    own,
    clock: systemClock,
    onChange(reason) {
      show(reason === undefined)
      if (reason === undefined) log.info('rate limits are shared again')
      else log.warn({ err: reason }, 'rate limits cannot be shared; counting in this server only')
    },
  })
  return { limits, closeLimits: () => counts.close() }

  async function openSharedCounters(): Promise<{ by: string; counts: SharedCounters } | undefined> {
    const { redisUrl } = config
    if (redisUrl !== undefined) {
      // Loaded only if configured: the client consists of some hundred modules.
      const { redisCounts } = await import('../domain/identity/rate-limit/redis.ts')
      return { by: 'redis', counts: redisCounts(redisUrl) }
    }
    const state = getSharedState(store, config)
    return state && { by: 'postgres', counts: state.openCounters() }
  }
}

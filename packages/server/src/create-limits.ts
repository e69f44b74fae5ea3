import type { Config } from './config/config.ts'
import { systemClock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'
import { inMemoryLimits } from './limit/in-memory.ts'
import type { Limits } from './limit/limits.ts'
import { redisCounts } from './limit/redis.ts'
import { sharedLimits } from './limit/shared.ts'
import type { Metrics } from './metrics.ts'

/** The counts of this server alone, or those it shares with other instances. */
export function createLimits(
  { redisUrl }: Config,
  metrics: Metrics,
  log: Log,
): { limits: Limits; closeLimits(): Promise<void> } {
  const own = inMemoryLimits(systemClock)
  if (redisUrl === undefined) return { limits: own, closeLimits: async () => {} }
  const counts = redisCounts(redisUrl)
  const show = (isShared: boolean): void => metrics.limitsShared.set({ by: 'redis' }, isShared ? 1 : 0)
  show(true)
  const limits = sharedLimits({
    counts,
    own,
    clock: systemClock,
    onChange(reason) {
      show(reason === undefined)
      if (reason === undefined) log.info('limits are shared again')
      else log.warn({ err: reason }, 'limits cannot be shared; this server counts alone')
    },
  })
  return { limits, closeLimits: () => counts.close() }
}

import { repeatEvery } from '../../kernel/repeat-every.ts'
import { type Leases, RENEW_EVERY_MS } from './leases.ts'

/** Runs continuous work in one of several instances: in this one while it holds the lease. */
export function runAsLeader(
  leases: Leases,
  name: string,
  start: () => Promise<() => Promise<void>>,
  onFailure: (error: unknown) => void,
): { stop(): Promise<void> } {
  let end: (() => Promise<void>) | undefined
  const check = async (): Promise<void> => {
    const isLeader = await leases.acquire(name)
    if (isLeader) end ??= await start()
    else await stopWork()
  }
  const stopWork = async (): Promise<void> => {
    const ending = end
    end = undefined
    await ending?.()
  }
  const checks = repeatEvery(RENEW_EVERY_MS, check, onFailure)
  return {
    async stop() {
      await checks.stop()
      await stopWork()
      await leases.release(name).catch(onFailure)
    },
  }
}

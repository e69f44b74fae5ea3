import { repeatEvery } from '../../kernel/repeat-every.ts'
import { type Leases, RENEW_EVERY_MS } from './leases.ts'

/** Does something in one of several instances: in this one while it holds the lease. */
export function runAsLeader(
  leases: Leases,
  name: string,
  start: () => Promise<() => Promise<void>>,
  onFailure: (error: unknown) => void,
): { stop(): Promise<void> } {
  let end: (() => Promise<void>) | undefined
  const look = async (): Promise<void> => {
    const isOurs = await leases.acquire(name)
    if (isOurs) end ??= await start()
    else await stopIt()
  }
  const stopIt = async (): Promise<void> => {
    const ending = end
    end = undefined
    await ending?.()
  }
  const looking = repeatEvery(RENEW_EVERY_MS, look, onFailure)
  return {
    async stop() {
      await looking.stop()
      await stopIt()
      await leases.release(name).catch(onFailure)
    },
  }
}

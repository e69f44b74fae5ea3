import { setTimeout as delay } from 'node:timers/promises'
import { repeatEvery } from '../../kernel/repeat-every.ts'
import { type Leases, RENEW_EVERY_MS } from './leases.ts'

const POLL_EVERY_MS = 200

/** Waits for the lease, then runs `work` while holding it. */
export async function withLease<T>(
  leases: Leases,
  name: string,
  work: () => Promise<T>,
  onFailure: (error: unknown) => void,
): Promise<T> {
  while (!(await leases.acquire(name))) await delay(POLL_EVERY_MS)
  const renewing = repeatEvery(RENEW_EVERY_MS, async () => void (await leases.acquire(name)), onFailure)
  try {
    return await work()
  } finally {
    await renewing.stop()
    await leases.release(name).catch(onFailure)
  }
}

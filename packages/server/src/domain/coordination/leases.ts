import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import type { LeaseStore } from './store.ts'
import { repeatEvery } from '../../kernel/repeat-every.ts'

/** How long a lease is valid without renewal; then another instance may acquire it. */
const LEASE_MS = 6_000
/** Renewal interval. One failed renewal does not lose the lease. */
export const RENEW_EVERY_MS = 2_000

/** The leases of one instance. */
export interface Leases {
  /** Acquires or renews the lease; false while another instance holds it. */
  acquire(name: string): Promise<boolean>
  listFree(prefix: string): Promise<string[]>
  release(name: string): Promise<void>
  remove(name: string): Promise<void>
}

export function createLeases(store: LeaseStore, clock: Clock): Leases {
  const holder = newUuid()
  return {
    acquire(name) {
      const now = clock.now()
      return store.acquire(name, holder, now, now + LEASE_MS)
    },
    listFree: (prefix) => store.listFree(prefix, clock.now()),
    release: (name) => store.release(name, holder),
    remove: (name) => store.remove(name, holder),
  }
}

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

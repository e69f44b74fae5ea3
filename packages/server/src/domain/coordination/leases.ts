import type { Clock } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import type { LeaseStore } from './store.ts'

/** How long a lease is valid without renewal; then another instance may acquire it. */
export const LEASE_MS = 6_000
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

import type { Clock } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import type { LeaseStore } from './store.ts'

/** How long an instance may be silent before another takes over what it did. */
export const LEASE_MS = 6_000
/** How often it says that it is still there. */
export const RENEW_EVERY_MS = 2_000

/** The leases of one instance. */
export interface Leases {
  /** Takes or renews it; false while another instance has it. */
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

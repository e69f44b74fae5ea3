import { TtlCache } from '../../../kernel/cache.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { MaybePromise } from '../../../kernel/maybe-promise.ts'
import type { Client, PartnerStore } from './store.ts'

/** How long a change by another program can go unnoticed. Changes by this server invalidate the cache immediately. */
const FRESH_MS = 2_000
const MAX_CLIENTS = 10_000

/** Clients by id, which every request needs; cached for no longer than a revocation may take. */
export interface PartnerDirectory {
  find(clientId: string): MaybePromise<Client | undefined>
  /** To be called when partners have changed. */
  invalidate(): void
}

export function createPartnerDirectory(store: PartnerStore, clock: Clock): PartnerDirectory {
  const clients = new TtlCache<string, Client | undefined>({
    ttlMs: FRESH_MS,
    max: MAX_CLIENTS,
    clock,
    load: (clientId) => store.findClient(clientId),
  })
  return {
    find: (clientId) => clients.get(clientId),
    invalidate: () => clients.invalidate(),
  }
}

import { BoundedMap } from '../lib/bounded-map.ts'
import type { Clock } from '../lib/clock.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { Client, PartnerStore } from './store.ts'

/** A change made by another program is seen after this long; one made by this server at once. */
const FRESH_MS = 2_000
const MAX_CLIENTS = 10_000

/** Clients by id, as every request needs them: remembered for a moment, never longer than a revocation may take. */
export interface PartnerDirectory {
  find(clientId: string): MaybePromise<Client | undefined>
  /** Call when partners have changed. */
  forget(): void
}

interface Entry {
  client: Promise<Client | undefined>
  /** Once it is there. */
  loaded?: Client
  loadedAt: number
}

export function createPartnerDirectory(store: PartnerStore, clock: Clock): PartnerDirectory {
  const entries = new BoundedMap<string, Entry>(MAX_CLIENTS)

  const load = (clientId: string, now: number): Promise<Client | undefined> => {
    const client = store.findClient(clientId)
    const entry: Entry = { client, loadedAt: now }
    entries.set(clientId, entry)
    // Neither a failure nor an unknown id is remembered: the first must heal, the second would let strangers fill the map.
    const drop = (): void => {
      if (entries.get(clientId) === entry) entries.delete(clientId)
    }
    const note = (found: Client | undefined): void => {
      if (found) entry.loaded = found
      else drop()
    }
    client.then(note, drop)
    return client
  }

  const fresh = (clientId: string, now: number): Entry | undefined => {
    const entry = entries.get(clientId)
    const age = entry ? now - entry.loadedAt : Number.POSITIVE_INFINITY
    // A negative age means that the clock was set back: the entry's age is unknown.
    return age >= 0 && age < FRESH_MS ? entry : undefined
  }

  return {
    find(clientId) {
      const now = clock.now()
      const entry = fresh(clientId, now)
      return entry ? (entry.loaded ?? entry.client) : load(clientId, now)
    },
    forget: () => entries.clear(),
  }
}

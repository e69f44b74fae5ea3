import type { IpcConnection } from '../../kernel/ipc.ts'
import { openStoreInWorker } from '../../store/open-in-worker.ts'
import type { ForwardWrite, StoreConfig } from '../../store/open.ts'
import type { DamagedRow, Store } from '../../store/store.ts'
import { observeEvents } from '../observe-events.ts'

/** Calls that every thread with a store may make. */
export interface ThreadHost {
  /** Forwards a write to the single writer of a file. */
  write: ForwardWrite
  /** To be called when a site may have new events. */
  notifyOfEvents(siteUuid: string): void
  reportDamage(row: DamagedRow): void
  /** Logs the failure of a request to an external service. */
  reportExternalFailure(message: string): void
}

/** A thread reads in order, and hardly any page twice. */
const CACHE_KIB = 2_000

/**
 * The store of a thread: like a worker process, it reads the file itself and forwards its writes. `getHost`: calls of
 * the host are received only when the store is there to answer them.
 */
export async function openStoreInThread(
  config: StoreConfig,
  getHost: () => IpcConnection<ThreadHost>,
): Promise<Store> {
  const store = await openStoreInWorker(config, (work) => getHost().call('write', work), CACHE_KIB)
  store.onDamage((row) => void getHost().call('reportDamage', row))
  return observeEvents(store, (siteUuid) => void getHost().call('notifyOfEvents', siteUuid))
}

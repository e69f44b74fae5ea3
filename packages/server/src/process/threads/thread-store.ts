import type { IpcConnection } from '../../kernel/ipc.ts'
import { type ForwardWrite, openStoreInWorker, type StoreConfig } from '../../store/open.ts'
import type { DamagedRow, Store } from '../../store/store.ts'
import { observeEvents } from '../observe-events.ts'

/** Calls that every thread with a store may make. */
export interface ThreadHost {
  /** Forwards a write to the only writer of a file. */
  write: ForwardWrite
  /** A site may have new events. */
  notifyOfEvents(siteUuid: string): void
  reportDamage(row: DamagedRow): void
  /** Logs the failure of a request to an external service. */
  reportExternalFailure(message: string): void
}

/** A thread reads in order, and hardly any page twice. */
const CACHE_KIB = 2_000

/** The store of a thread: like a worker process, it reads the file itself and forwards its writes. */
export function openStoreInThread(config: StoreConfig, host: IpcConnection<ThreadHost>): Store {
  const store = openStoreInWorker(config, (work) => host.call('write', work), CACHE_KIB)
  store.onDamage((row) => void host.call('reportDamage', row))
  return observeEvents(store, (siteUuid) => void host.call('notifyOfEvents', siteUuid))
}

import type { ForwardWrite, StoreConfig } from './open.ts'
import type { Store } from './store.ts'

/**
 * The store of a worker process or thread. A file has one writer, so the worker reads the file itself and forwards its
 * writes. `cacheKib`: memory for pages of the file. Only the code of the configured store is loaded: the client of
 * PostgreSQL would take 10 MB of every thread.
 */
export async function openStoreInWorker(
  { database, rawRetentionMs }: StoreConfig,
  forwardWrite: ForwardWrite,
  cacheKib?: number,
): Promise<Store> {
  if (database.kind === 'postgres') {
    const { openPostgresStore } = await import('./postgres/store.ts')
    return openPostgresStore(database.url, { rawRetentionMs, runsMaintenance: false })
  }
  const { createSqliteStore } = await import('./sqlite/store.ts')
  return createSqliteStore(database.file, { send: forwardWrite, close: async () => {} }, cacheKib)
}

import type { Config } from '../config/config.ts'
import { openPostgresStore } from './postgres/store.ts'
import { openSqliteStore, createSqliteStore } from './sqlite/store.ts'
import { startWriterThread, type WriterChannel } from './sqlite/writer.ts'
import type { Store } from './store.ts'

export type StoreConfig = Pick<Config, 'database' | 'rawRetentionMs'>

interface OpenOptions {
  /** Whether this process runs maintenance; a command leaves it to the server. */
  runsMaintenance?: boolean
  /** Called when this process has to wait for the write lock of the file. */
  onLocked?: () => void
}

/** The configured store. Nothing is opened before its first use. */
export const openStore = (
  { database, rawRetentionMs }: StoreConfig,
  { runsMaintenance = false, onLocked }: OpenOptions = {},
): Store =>
  database.kind === 'sqlite'
    ? openSqliteStore(database.file, { rawRetentionMs, runsMaintenance }, { onLocked })
    : openPostgresStore(database.url, { rawRetentionMs, runsMaintenance })

/** Forwards a write to the process that has the writer. */
export type ForwardWrite = WriterChannel['send']

/** The store of a server. Its workers pass their writes to it. */
export function openStoreForServer(
  config: StoreConfig,
  options: Omit<OpenOptions, 'runsMaintenance'> = {},
): { store: Store; forwardWrite: ForwardWrite } {
  const { database, rawRetentionMs } = config
  if (database.kind === 'postgres') {
    const store = openStore(config, { ...options, runsMaintenance: true })
    return {
      store,
      forwardWrite: () => Promise.reject(new Error('A worker writes to PostgreSQL by itself.')),
    }
  }
  const writer = startWriterThread(database.file, { rawRetentionMs, runsMaintenance: true }, options)
  return { store: createSqliteStore(database.file, writer), forwardWrite: (work) => writer.send(work) }
}

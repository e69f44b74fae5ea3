import type { Config } from '../config/config.ts'
import { openPostgresStore } from './postgres/store.ts'
import { openSqliteStore, sqliteStoreWith } from './sqlite/store.ts'
import { startWriterThread, type WayToWriter } from './sqlite/writer.ts'
import type { Store } from './store.ts'

export type StoreConfig = Pick<Config, 'database' | 'rawRetentionMs'>

interface OpenOptions {
  /** A server keeps house; a command leaves it to the server. */
  keepsHouse?: boolean
  /** Called when this process has to wait for the write lock of the file. */
  onLocked?: () => void
}

/** The store that the configuration names. Nothing is touched before its first use. */
export const openStore = (
  { database, rawRetentionMs }: StoreConfig,
  { keepsHouse = false, onLocked }: OpenOptions = {},
): Store =>
  database.kind === 'sqlite'
    ? openSqliteStore(database.file, { rawRetentionMs, keepsHouse }, { onLocked })
    : openPostgresStore(database.url, { rawRetentionMs, keepsHouse })

/** A write that one process hands to the one that has the writer. */
export type HandWrite = WayToWriter['send']

/** The store of a server. Its other processes (workers, the demo's history) pass their writes to it: a file has one writer. */
export function openStoreForServer(
  config: StoreConfig,
  options: Omit<OpenOptions, 'keepsHouse'> = {},
): { store: Store; handWrite: HandWrite } {
  const { database, rawRetentionMs } = config
  if (database.kind === 'postgres') {
    const store = openStore(config, { ...options, keepsHouse: true })
    return { store, handWrite: () => Promise.reject(new Error('A worker writes to PostgreSQL by itself.')) }
  }
  const writer = startWriterThread(database.file, { rawRetentionMs, keepsHouse: true }, options)
  return { store: sqliteStoreWith(database.file, writer), handWrite: (work) => writer.send(work) }
}

/** The store as a worker process has it. Of a file there is one writer: it reads by itself and hands over its writes. */
export const openStoreInWorker = (config: StoreConfig, handWrite: HandWrite): Store =>
  config.database.kind === 'postgres'
    ? openStore(config)
    : sqliteStoreWith(config.database.file, { send: handWrite, close: async () => {} })

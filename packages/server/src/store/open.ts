import type { Config } from '../config/config.ts'
import { openSqliteStore, sqliteStoreWith } from './sqlite/store.ts'
import { startWriterThread, type WayToWriter } from './sqlite/writer.ts'
import type { Store } from './store.ts'

type StoreConfig = Pick<Config, 'databaseFile' | 'rawRetentionMs'>

/** The store that the configuration names. Nothing is touched before its first use. */
export const openStore = (
  { databaseFile, rawRetentionMs }: StoreConfig,
  /** A server keeps house; a command leaves it to the server. */
  options: { keepsHouse?: boolean } = {},
): Store => openSqliteStore(databaseFile, { rawRetentionMs, ...options })

/** A write that one process hands to the one that has the writer. */
export type HandWrite = WayToWriter['send']

/** The store of a server with worker processes: it also does the writes that they hand over. */
export function openStoreForWorkers({ databaseFile, rawRetentionMs }: StoreConfig): {
  store: Store
  handWrite: HandWrite
} {
  const writer = startWriterThread(databaseFile, { rawRetentionMs, keepsHouse: true })
  return { store: sqliteStoreWith(databaseFile, writer), handWrite: (work) => writer.send(work) }
}

/** The store as a worker process has it: it reads by itself and hands over its writes. */
export const openStoreInWorker = ({ databaseFile }: StoreConfig, handWrite: HandWrite): Store =>
  sqliteStoreWith(databaseFile, { send: handWrite, close: async () => {} })

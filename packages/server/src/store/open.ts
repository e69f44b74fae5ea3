import type { Config } from '../config/config.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'

/** The store that the configuration names. Nothing is touched before its first use. */
export const openStore = (
  { databaseFile, rawRetentionMs }: Pick<Config, 'databaseFile' | 'rawRetentionMs'>,
  /** A server keeps house; a command leaves it to the server. */
  options: { keepsHouse?: boolean } = {},
): Store => openSqliteStore(databaseFile, { rawRetentionMs, ...options })

import type { Config } from '../config/config.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'

/** The store that the configuration names. Nothing is touched before its first use. */
export const openStore = (config: Pick<Config, 'databaseFile'>): Store => openSqliteStore(config.databaseFile)

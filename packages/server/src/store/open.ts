import type { Config } from '../config/config.ts'
import { openPostgresStore } from './postgres/store.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'

/** The store that the configuration names. Nothing is touched before its first use. */
export const openStore = (
  { database, rawRetentionMs }: Pick<Config, 'database' | 'rawRetentionMs'>,
  /** A server keeps house; a command leaves it to the server. */
  options: { keepsHouse?: boolean; onHouseFailure?: (error: unknown) => void } = {},
): Store =>
  database.kind === 'sqlite'
    ? openSqliteStore(database.file, { rawRetentionMs, keepsHouse: options.keepsHouse ?? false })
    : openPostgresStore(database.url, { rawRetentionMs, ...options })

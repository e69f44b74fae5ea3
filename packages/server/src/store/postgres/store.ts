import type { Store } from '../store.ts'
import { openDatabase, type StatementListener } from './connect.ts'
import { migrate, pendingMigrations } from './migrate.ts'

export interface PostgresOptions {
  /** Whether it rolls up and drops readings when there is time. */
  keepsHouse?: boolean
  /** How long readings are kept; for ever when undefined. */
  rawRetentionMs?: number | undefined
  onStatement?: StatementListener
}

const notThereYet = (): never => {
  throw new Error('not there yet')
}

/** One PostgreSQL database, or the coordinator of a Citus cluster. */
export function openPostgresStore(url: string, options: PostgresOptions = {}): Store {
  const db = openDatabase(url, options.onStatement)
  return {
    migrate: () => migrate(db),
    pendingMigrations: () => pendingMigrations(db),
    settle: notThereYet,
    backlog: notThereYet,
    close: () => db.close(),
  } as unknown as Store
}

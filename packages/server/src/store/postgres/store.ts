import { AppError } from '../../errors.ts'
import type { Store } from '../store.ts'
import { postgresAudit } from './audit.ts'
import { postgresCommands } from './commands.ts'
import { type ConnectOptions, openDatabase } from './connect.ts'
import { examine } from './examine.ts'
import { postgresGateways } from './gateways.ts'
import { becomeDemo, cursorKeyOf, isDemo } from './installation.ts'
import { postgresInventory } from './inventory.ts'
import { postgresKeys } from './keys.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { postgresOutbox } from './outbox.ts'
import { postgresPartners } from './partners.ts'
import { postgresPlayers } from './players.ts'
import { postgresPresences } from './presences.ts'
import { postgresRejected } from './rejected.ts'
import { postgresSites } from './sites.ts'
import { postgresV1Usage } from './v1-usage.ts'

export interface PostgresOptions extends ConnectOptions {
  /** Whether it rolls up and drops readings when there is time. */
  keepsHouse?: boolean
  /** How long readings are kept; for ever when undefined. */
  rawRetentionMs?: number | undefined
}

const notThereYet = (): never => {
  throw new Error('not there yet')
}

/** One PostgreSQL database, or the coordinator of a Citus cluster. */
export function openPostgresStore(url: string, options: PostgresOptions = {}): Store {
  const db = openDatabase(url, options)
  return {
    partners: postgresPartners(db),
    sites: postgresSites(db),
    inventory: postgresInventory(db),
    gateways: postgresGateways(db),
    commands: postgresCommands(db),
    outbox: postgresOutbox(db),
    players: postgresPlayers(db),
    presences: postgresPresences(db),
    rejected: postgresRejected(db),
    keys: postgresKeys(db),
    audit: postgresAudit(db),
    v1Usage: postgresV1Usage(db),

    cursorKey: () => cursorKeyOf(db),
    isDemo: () => isDemo(db),
    becomeDemo: () => becomeDemo(db),

    migrate: () => migrate(db),
    pendingMigrations: () => pendingMigrations(db),
    ping: () => db.read(async (sql) => void (await sql`SELECT 1 FROM installation`)),
    examine: () => examine(db),
    backup: () =>
      Promise.reject(
        new AppError('bad-request', 'a PostgreSQL database is backed up by its own tools: pg_dump'),
      ),

    settle: notThereYet,
    backlog: notThereYet,
    close: () => db.close(),
  } as unknown as Store
}

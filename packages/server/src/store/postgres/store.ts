import { AppError } from '../../errors.ts'
import { systemClock } from '../../lib/clock.ts'
import { createDamageReports } from '../damage-reports.ts'
import { createMaintenanceReports } from '../maintenance.ts'
import type { Store } from '../store.ts'
import { createAddReadings } from './add-readings.ts'
import { postgresAudit } from './audit.ts'
import { postgresCommands } from './commands.ts'
import { type ConnectOptions, openDatabase } from './connect.ts'
import { examine } from './examine.ts'
import { postgresGateways } from './gateways.ts'
import { createMaintenance } from './housekeeping.ts'
import { postgresImages } from './images.ts'
import { markAsDemo, loadCursorKey, isDemo } from './installation.ts'
import { postgresInventory } from './inventory.ts'
import { postgresKeys } from './keys.ts'
import { createNewestSeen } from './known-series.ts'
import { postgresLeases } from './leases.ts'
import { postgresLifecycle } from './lifecycle.ts'
import { postgresCounters } from './limit-counts.ts'
import { loadFailures } from './maintenance-failures.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { postgresOutbox } from './outbox.ts'
import { createPartitions } from './partitions.ts'
import { postgresPartners } from './partners.ts'
import { postgresServerSchedules } from './players.ts'
import { postgresPresences } from './presences.ts'
import { postgresReadings } from './readings.ts'
import { postgresRejected } from './rejected.ts'
import type { DamagedRollup } from './checksummed-cells.ts'
import { postgresRollups } from './rollups.ts'
import { createRebuilds } from './rebuild-rollup.ts'
import { createSeriesIndexes } from './series-index.ts'
import { postgresSimulations } from './simulations.ts'
import { postgresSites } from './sites.ts'
import { countDue } from './stale-days.ts'
import { postgresTransfer } from './transfer.ts'
import { verifyRollups } from './verify-rollups.ts'
import { postgresV1Usage } from './v1-usage.ts'

export interface PostgresOptions extends ConnectOptions {
  /** Whether it rolls up and drops readings when there is time. */
  runsMaintenance?: boolean
  /** How long readings are kept; for ever when undefined. */
  rawRetentionMs?: number | undefined
}

/** One PostgreSQL database, or the coordinator of a Citus cluster. */
export function openPostgresStore(url: string, options: PostgresOptions = {}): Store {
  const db = openDatabase(url, options)
  const partitions = createPartitions(db)
  const indexes = createSeriesIndexes()
  const addReadings = createAddReadings(db, partitions, indexes, createNewestSeen())
  const reports = createDamageReports()
  const startRebuild = createRebuilds(db, indexes)
  const onDamage = (siteUuid: string, row: DamagedRollup, isRebuildable: boolean): void => {
    reports.report(row)
    // Another instance may do the same: marking days twice changes nothing.
    if (isRebuildable) startRebuild(siteUuid, row)
  }
  const maintenance = createMaintenanceReports()
  const house = createMaintenance(
    db,
    partitions,
    indexes,
    systemClock,
    options.rawRetentionMs,
    onDamage,
    maintenance.report,
  )
  return {
    partners: postgresPartners(db),
    sites: postgresSites(db),
    inventory: postgresInventory(db),
    gateways: postgresGateways(db),
    readings: postgresReadings(db, addReadings),
    rollups: postgresRollups((run) => db.read(run), onDamage),
    commands: postgresCommands(db),
    outbox: postgresOutbox(db),
    players: postgresServerSchedules(db),
    presences: postgresPresences(db),
    rejected: postgresRejected(db),
    keys: postgresKeys(db),
    audit: postgresAudit(db),
    v1Usage: postgresV1Usage(db),
    lifecycle: postgresLifecycle(db),
    images: postgresImages(db),
    transfer: postgresTransfer(db, partitions, indexes),
    shared: {
      leases: postgresLeases(db),
      simulations: postgresSimulations(db),
      openCounters: () => postgresCounters(url, systemClock, options),
    },

    cursorKey: () => loadCursorKey(db),
    isDemo: () => isDemo(db),
    markAsDemo: () => markAsDemo(db),

    async migrate() {
      const done = await migrate(db)
      // Not before: there would be nothing to keep.
      if (options.runsMaintenance) house.start()
      return done
    },
    onDamage: reports.listen,
    onMaintenance: maintenance.listen,
    maintenanceFailures: () => db.read(loadFailures),
    pendingMigrations: () => pendingMigrations(db),
    ping: () => db.read(async (sql) => void (await sql`SELECT 1 FROM installation`)),
    checkIntegrity: () => examine(db),
    verify: (progress) => verifyRollups(db, indexes, progress),
    // Readings are ordinary rows, which PostgreSQL itself verifies.
    acceptLoss: async () => 0,
    hasPageChecksums: () =>
      db.read(async (sql) => {
        const [row] = await sql<{ data_checksums: string }[]>`SHOW data_checksums`
        return row?.data_checksums === 'on'
      }),
    backup: () =>
      Promise.reject(
        new AppError('bad-request', 'a PostgreSQL database is backed up by its own tools: pg_dump'),
      ),

    runMaintenance: () => house.runToCompletion(),
    warmUp: async () => {},
    startServing: async () => {},
    backlog: async () => ({
      journalReadings: 0,
      queuedRollups: await db.read((sql) => countDue(sql, systemClock.now())),
    }),
    async close() {
      await house.stop()
      await db.close()
    },
  }
}

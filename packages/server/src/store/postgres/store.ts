import { AppError } from '../../kernel/errors.ts'
import { systemClock } from '../../kernel/clock.ts'
import { createDamageReports } from '../damage.ts'
import { createMaintenanceReports } from '../maintenance.ts'
import type { Store } from '../store.ts'
import { createAddReadings } from './readings/add-readings.ts'
import { postgresAudit } from './identity/audit.ts'
import { postgresCommands } from './commands/commands.ts'
import { type ConnectOptions, type Database, openDatabase } from './pool/connect.ts'
import { postgresClosedDays } from './events/closed-days.ts'
import { postgresDeviceStatuses } from './events/device-statuses.ts'
import { postgresEvents } from './events/events.ts'
import { postgresGateways } from './inventory/gateways.ts'
import { createMaintenance } from './rollups/maintenance.ts'
import { postgresImportCounts } from './readings/import-counts.ts'
import { postgresImages } from './inventory/images.ts'
import { isDemo, loadInstallationKey, loadServerAddresses, markAsDemo, recordServer } from './installation.ts'
import { postgresInventory } from './inventory/inventory.ts'
import { postgresKeys } from './identity/keys.ts'
import { createNewestSeen } from './readings/newest-seen.ts'
import { postgresLeases } from './cluster/leases.ts'
import { postgresLifecycle } from './identity/lifecycle.ts'
import { postgresCounters } from './cluster/rate-limit-counters.ts'
import { loadFailures } from './rollups/maintenance-failures.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { postgresOutbox } from './commands/outbox.ts'
import { createChangeObserver } from './readings/observe-changes.ts'
import { createPartitions } from './readings/partitions.ts'
import { postgresPartners } from './identity/partners.ts'
import { postgresServerSchedules } from './commands/server-schedules.ts'
import { postgresPresences } from './inventory/presences.ts'
import { postgresReadings } from './readings/readings.ts'
import { postgresWebhooks } from './webhooks/webhooks.ts'
import { postgresRejected } from './inventory/rejected.ts'
import type { DamagedRollup } from './rollups/checksummed-cells.ts'
import { postgresRollups } from './rollups/rollups.ts'
import { createRebuilds } from './rollups/rebuild-rollup.ts'
import { createSeriesIndexLoader } from './rollups/series-index.ts'
import { postgresSimulations } from './cluster/simulations.ts'
import { postgresSessions } from './identity/sessions.ts'
import { postgresSites } from './inventory/sites.ts'
import { loadStatistics } from './statistics.ts'
import { postgresTransfer } from './transfer.ts'
import { openPostgresSnapshots } from './snapshots.ts'
import { verifyRollups } from './rollups/verify-rollups.ts'
import { postgresV1Usage } from './identity/v1-usage.ts'

export interface PostgresOptions extends ConnectOptions {
  /** Whether this process runs background maintenance. */
  runsMaintenance?: boolean
  /** How long readings are kept; undefined: forever. */
  rawRetentionMs?: number | undefined
}

/** One PostgreSQL database, or the coordinator of a Citus cluster. */
export function openPostgresStore(url: string, options: PostgresOptions = {}): Store {
  const db = openDatabase(url, options)
  const partitions = createPartitions(db)
  const indexes = createSeriesIndexLoader()
  const addReadings = createAddReadings(db, partitions, indexes, createNewestSeen())
  const reports = createDamageReports()
  const startRebuild = createRebuilds(db, indexes)
  const onDamage = (siteUuid: string, row: DamagedRollup, isRebuildable: boolean): void => {
    reports.report(row)
    // Another instance may do the same: enqueueing days twice changes nothing.
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
    rollups: {
      ...postgresRollups((run) => db.read(run), onDamage),
      observeChanges: createChangeObserver((run) => db.read(run)),
    },
    commands: postgresCommands(db),
    outbox: postgresOutbox(db),
    serverSchedules: postgresServerSchedules(db),
    presences: postgresPresences(db),
    events: postgresEvents(db),
    deviceStatuses: postgresDeviceStatuses(db),
    closedDays: postgresClosedDays(db),
    webhooks: postgresWebhooks(db),
    rejected: postgresRejected(db),
    importCounts: postgresImportCounts(db),
    keys: postgresKeys(db),
    sessions: postgresSessions(db),
    audit: postgresAudit(db),
    v1Usage: postgresV1Usage(db),
    lifecycle: postgresLifecycle(db),
    images: postgresImages(db),
    openSnapshots: () => openPostgresSnapshots(db, onDamage),
    transfer: postgresTransfer(db, partitions, indexes),
    shared: {
      leases: postgresLeases(db),
      simulations: postgresSimulations(db),
      openCounters: () => postgresCounters(url, systemClock, options),
    },

    installationKey: () => loadInstallationKey(db),
    isDemo: () => isDemo(db),
    markAsDemo: () => markAsDemo(db),
    serverAddresses: () => loadServerAddresses(db),
    recordServer: (addresses) => recordServer(db, addresses),

    async migrate() {
      const done = await migrate(db)
      // Only after the migrations: there is nothing to maintain before.
      if (options.runsMaintenance) house.start()
      return done
    },
    onDamage: reports.listen,
    onMaintenance: maintenance.listen,
    maintenanceFailures: () => db.read(loadFailures),
    pendingMigrations: () => pendingMigrations(db),
    ping: () => db.read(async (sql) => void (await sql`SELECT 1 FROM installation`)),
    checkIntegrity: () => verifyStore(db),
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
    statistics: (times) => db.read((sql) => loadStatistics(sql, times)),
    async close() {
      await house.stop()
      await db.close()
    },
  }
}

/** Problems that PostgreSQL itself reports: checksum failures of pages, invalid indexes and constraints. */
export const verifyStore = (db: Database): Promise<string[]> =>
  db.read(async (sql) => {
    const rows = await sql<{ fault: string }[]>`
      SELECT checksum_failures || ' pages of the database failed their checksum' AS fault
      FROM pg_stat_database WHERE datname = current_database() AND checksum_failures > 0
      UNION ALL
      SELECT 'index ' || indexrelid::regclass || ' is invalid'
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace
      UNION ALL
      SELECT 'constraint ' || conname || ' is not valid'
      FROM pg_constraint WHERE NOT convalidated AND connamespace = current_schema()::regnamespace`
    return rows.map(({ fault }) => fault)
  })

import { backup, DatabaseSync } from 'node:sqlite'
import { unavailable } from '../../kernel/errors.ts'
import { utcDayNumber } from '../../domain/telemetry/reading/packed-day.ts'
import { createMaintenanceReports } from '../maintenance.ts'
import type { DamagedRow, Store } from '../store.ts'
import { sqliteAudit } from './identity/audit.ts'
import { createPrivateFile, openReader } from './connect.ts'
import { createDamageReports, describeDamage } from '../damage.ts'
import { listenForDamage } from './damage.ts'
import { sqliteClosedDays } from './events/closed-days.ts'
import { sqliteDeviceStatuses } from './events/device-statuses.ts'
import { sqliteEvents } from './events/events.ts'
import { translateErrors } from './failure.ts'
import { sqliteCommands } from './commands/commands.ts'
import { sqliteGateways } from './inventory/gateways.ts'
import { getInstallationKey, getServerAddresses, isDemo } from './installation.ts'
import { sqliteImages } from './inventory/images.ts'
import { sqliteImportCounts } from './import-counts.ts'
import { sqliteInventory } from './inventory/inventory.ts'
import { getJournal } from './journal/journal.ts'
import { sqliteKeys } from './identity/keys.ts'
import { sqliteLifecycle } from './identity/lifecycle.ts'
import { loadFailures } from './maintenance-failures.ts'
import { pendingMigrations } from './migrate.ts'
import { sqliteOutbox } from './commands/outbox.ts'
import { sqlitePartners } from './identity/partners.ts'
import { lostReadings } from './quarantine.ts'
import { sqliteServerSchedules } from './commands/server-schedules.ts'
import { sqlitePresences } from './inventory/presences.ts'
import { sqliteReadings } from './journal/readings.ts'
import { sqliteRollups } from './rollups/rollups.ts'
import { sqliteRejected } from './inventory/rejected.ts'
import { text } from './row.ts'
import { sqliteSessions } from './identity/sessions.ts'
import { sqliteSites } from './inventory/sites.ts'
import { openSqliteSnapshots } from './snapshots.ts'
import { readStatistics } from './statistics.ts'
import { sqliteTransfer } from './transfer.ts'
import { sqliteV1Usage } from './identity/v1-usage.ts'
import { sqliteWebhooks } from './webhooks/webhooks.ts'
import { describeLost, verifyStore } from './verify.ts'
import { SERVING_LOCK_WAIT_MS } from './write-lock.ts'
import {
  createWriter,
  startWriterThread,
  type WriterChannel,
  type WriterEvents,
  type WriterOptions,
} from './writer.ts'

/** A store in one SQLite file: the writer is in a separate thread, the reader in this one. */
export const openSqliteStore = (
  file: string,
  options: Partial<WriterOptions> = {},
  events: WriterEvents = {},
): Store =>
  createSqliteStore(
    file,
    startWriterThread(file, { runsMaintenance: false, rawRetentionMs: undefined, ...options }, events),
  )

/** A store with a running writer, in this process or in another one. `cacheKib`: memory for pages of the file. */
export function createSqliteStore(file: string, channel: WriterChannel, cacheKib?: number): Store {
  const writer = createWriter(channel)
  const { writes } = writer
  let connection: DatabaseSync | undefined
  const reports = createDamageReports()
  channel.onDamage?.(reports.report)
  const maintenance = createMaintenanceReports()
  channel.onMaintenance?.(maintenance.report)
  const repairing = new Set<string>()

  /**
   * Reports damage found by a reader and has the writer repair it. A failed repair is retried when the row is read
   * again.
   */
  const onDamage = (row: DamagedRow): void => {
    reports.report(row)
    const name = describeDamage(row)
    if (repairing.has(name)) return
    repairing.add(name)
    writes.repair.repairDamage(row).catch(() => repairing.delete(name))
  }

  const openReportingReader = (): DatabaseSync => {
    const opened = openReader(file, cacheKib)
    listenForDamage(opened, onDamage)
    return opened
  }

  /** Opened on first use: the writer creates the file, and only a migrated file can be read. */
  const reader = (): DatabaseSync => {
    if (connection && !connection.isOpen) throw unavailable('The store is closed.')
    return (connection ??= openReportingReader())
  }

  return {
    partners: sqlitePartners(reader, writes.partners),
    sites: sqliteSites(reader),
    inventory: sqliteInventory(reader, writes.inventory),
    gateways: sqliteGateways(reader, writes.gateways),
    readings: sqliteReadings(reader, writes.readings),
    rollups: sqliteRollups(reader),
    commands: sqliteCommands(reader, writes.commands),
    outbox: sqliteOutbox(reader, writes.outbox),
    serverSchedules: sqliteServerSchedules(reader, writes.serverSchedules),
    presences: sqlitePresences(reader, writes.presences),
    events: sqliteEvents(reader, writes.events),
    deviceStatuses: sqliteDeviceStatuses(reader, writes.deviceStatuses),
    closedDays: sqliteClosedDays(reader, writes.closedDays),
    webhooks: sqliteWebhooks(reader, writes.webhooks),
    rejected: sqliteRejected(reader, writes.rejected),
    importCounts: sqliteImportCounts(reader, writes.importCounts),
    keys: sqliteKeys(reader, writes.keys),
    sessions: sqliteSessions(reader, writes.sessions),
    audit: sqliteAudit(reader, writes.audit),
    v1Usage: sqliteV1Usage(reader, writes.v1Usage),
    lifecycle: sqliteLifecycle(reader, writes.lifecycle),
    images: sqliteImages(reader, writes.images),
    transfer: sqliteTransfer(reader, writes.transfer),
    openSnapshots: () => openSqliteSnapshots(openReportingReader),
    shared: undefined,

    installationKey: async () => translateErrors(() => getInstallationKey(reader())),
    isDemo: async () => translateErrors(() => isDemo(reader())),
    markAsDemo: () => writes.installation.markAsDemo(),
    serverAddresses: async () => translateErrors(() => getServerAddresses(reader())),
    recordServer: (addresses) => writes.installation.recordServer(addresses),

    migrate: () => writer.migrate(),
    runMaintenance: () => writer.runMaintenance(),
    async warmUp() {
      try {
        getJournal(reader()).hot()
      } catch {
        // Reads of readings will fail in the same way and report the damage; the server can start.
      }
    },
    async startServing() {
      for (const { source, seriesId, from } of lostReadings(reader()))
        reports.report({
          table: source,
          ...(seriesId === undefined ? {} : { seriesId, number: utcDayNumber(from) }),
          reason: 'readings are lost',
        })
      await writer.setLockWait(SERVING_LOCK_WAIT_MS)
    },
    statistics: async (times) => translateErrors(() => readStatistics(reader(), file, times)),
    pendingMigrations: async () => translateErrors(() => pendingMigrations(reader())),

    onDamage: reports.listen,
    onMaintenance: maintenance.listen,
    maintenanceFailures: async () => translateErrors(() => loadFailures(reader())),
    ping: async () => translateErrors(() => void reader().prepare('SELECT 1 FROM installation').get()),
    checkIntegrity: async () =>
      translateErrors(() => [
        ...reader()
          .prepare('PRAGMA integrity_check')
          .all()
          .map((row) => text(row, 'integrity_check'))
          .filter((line) => line !== 'ok'),
        ...lostReadings(reader()).map(describeLost),
      ]),
    async verify(progress) {
      const own = openReader(file)
      try {
        const { damaged, faults } = await verifyStore(own, progress, writes.repair.rebuildRollups)
        for (const row of damaged) await writes.repair.repairDamage(row)
        return [...damaged.map(describeDamage), ...faults]
      } finally {
        own.close()
      }
    },
    acceptLoss: () => writes.repair.acceptLoss(),
    hasPageChecksums: async () => undefined,
    async backup(target) {
      createPrivateFile(target)
      await backup(reader(), target)
      makeStandalone(target)
    },
    async close() {
      // The writer is closed last: only a writing connection checkpoints the log when it is the last one to close.
      if (connection?.isOpen) connection.close()
      await writer.close()
    },
  }
}

/** A copy is in WAL mode like its source; in another mode, reading the backup creates no files beside it. */
function makeStandalone(file: string): void {
  const copy = new DatabaseSync(file)
  copy.exec('PRAGMA journal_mode = DELETE')
  copy.close()
}

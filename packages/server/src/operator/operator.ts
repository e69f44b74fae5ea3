import { findStart, readPage } from '../domain/event/log.ts'
import { isEnabledOperator, ROLES } from '../domain/identity/partner/partner.ts'
import { DEFAULT_EVENT_LIMIT, toEventFilter, toEventPageText } from '../http/resources/event.ts'
import { type Addresses, type Config, toAddresses } from '../config/config.ts'
import { notFound, UserFacingError } from '../kernel/errors.ts'
import { loadRejections } from '../domain/control/command/rejections.ts'
import type { SiteModel } from '../domain/estate/inventory/site-model.ts'
import { createUsualSteps } from '../domain/telemetry/device-status/usual-steps.ts'
import { createDeviceWarnings } from '../domain/telemetry/device-status/warnings.ts'
import { describeDevices } from '../http/resources/describe-devices.ts'
import { createGatewayService, type GatewayService } from '../domain/estate/gateway/service.ts'
import {
  createReadingImport,
  type ReadingImport,
  type ReadingImportDeps,
} from '../domain/telemetry/ingest/reading-import.ts'
import { createStoredCounter } from '../domain/telemetry/ingest/import-counts.ts'
import { createInventoryService, type InventoryService } from '../domain/estate/inventory/service.ts'
import { createSiteDirectory, type SiteDirectory } from '../domain/estate/inventory/site-directory.ts'
import { type Clock, stopwatch, systemClock } from '../kernel/clock.ts'
import { createLifecycle, type Lifecycle } from '../domain/v1-lifecycle/lifecycle.ts'
import { createPartnerService, type PartnerService } from '../domain/identity/partner/service.ts'
import { hasStore } from './has-store.ts'
import { openStore } from '../store/open.ts'
import { createPrivateFile } from '../store/sqlite/connect.ts'
import { lockForServer } from '../store/sqlite/lock.ts'
import { restoreFile, whyNotABackup } from '../store/sqlite/restore.ts'
import { allMigrations } from '../store/sqlite/migrate.ts'
import type { Migration, Store } from '../store/store.ts'
import { requireCompleteCopy } from '../store/transfer.ts'
import { createWebhookAdministration, type WebhookAdministration } from '../domain/webhook/administration.ts'
import { type ConsoleSessions, createConsoleSessions } from '../domain/identity/session/service.ts'
import { createKeyRing, type KeyRing } from '../domain/identity/token/key-ring.ts'

export { copyStores, describeDatabase } from './copy/copy-stores.ts'
export { FORMATS } from '../domain/telemetry/ingest/formats.ts'
export { COMMAND_LINE } from '../domain/identity/audit.ts'
export { toWireAddedGateway, toWireGateway } from '../http/operator/gateways/convert.ts'
export { toWireEntry, toWireKey, toWireRejected } from '../http/operator/convert.ts'
export { fromWireInventory, toWireInventory, toWirePlan } from '../http/operator/inventory/convert.ts'
export { toWireOperatorCommand } from '../http/operator/sites/convert.ts'
export { toWireOperatorWebhook } from '../http/resources/webhook.ts'
export { toWireSite } from '../http/resources/site.ts'
export { toWireLink, toWireSession } from '../http/operator/sessions/convert.ts'
export { toImportEntry } from '../domain/telemetry/ingest/import-audit.ts'
export { createExportCheck, stripExportMark } from '../domain/telemetry/ingest/export-check.ts'
export { readLines } from '../domain/telemetry/ingest/lines.ts'
export { mosquittoFiles } from '../domain/estate/gateway/mosquitto-files.ts'
export { fromWireLifecycle, readDate, toWireLifecycle } from '../http/operator/lifecycle/convert.ts'
export { findEndpoint } from '../domain/v1-lifecycle/catalogue.ts'
export { toCsv } from '../http/pipeline/csv.ts'
export { toWireV1Caller, V1_CALLER_COLUMNS } from '../http/operator/migration/convert.ts'
export {
  toWireAddedPartner,
  toWireAddedSecret,
  toWirePartner,
} from '../http/operator/partners/convert.ts'
export { toWireSecret } from '../http/resources/secret.ts'

/** A command that cannot do its work, with a one-line message. */
export class OperatorError extends UserFacingError {}

/** The start of an import, and callbacks for its progress. */
type ImportProgress = Pick<ReadingImportDeps, 'skipLines' | 'onBatch' | 'onRefused'>

/** An import whose readings a server counts in its metrics. */
export interface CountedImport extends ReadingImport {
  /** Counts the readings that are stored, for an import that has failed. */
  countStored(): Promise<void>
}

/** Commands that work on the store directly; a running server sees their changes within seconds. */
export interface Operator extends AsyncDisposable {
  store: Store
  /** Migrations applied when the store was opened. Another process may have applied the rest. */
  migrated: Migration[]
  partners: PartnerService
  keys: KeyRing
  sessions: ConsoleSessions
  inventory: InventoryService
  gateways: GatewayService
  lifecycle: Lifecycle
  webhooks: WebhookAdministration
  createReadingImport(progress: ImportProgress): CountedImport
  /** Throws `not-found` for an unknown site. */
  requireSite(siteUuid: string): Promise<SiteModel>
  clock: Clock
  /** The addresses of the server on this store. */
  addresses: Addresses
}

/** The configured public addresses, or the defaults of a server with this configuration. */
export const toPublicAddresses = (config: Config): Addresses => toAddresses(config, config.port)

/** Addresses that are set explicitly, otherwise those of the server that started last on the store. */
async function findAddresses(config: Config, store: Store): Promise<Addresses> {
  const recorded =
    config.publicUrl === undefined && !config.isPortGiven ? await store.serverAddresses() : undefined
  if (!recorded) return toPublicAddresses(config)
  const tenant = config.isTenantGiven ? config.tenant : recorded.tenant
  return toAddresses({ ...config, publicUrl: recorded.publicUrl, tenant }, config.port)
}

const reportLocked = (): void =>
  void process.stderr.write('portico: waiting for another process that is writing to the store\n')

/** Opens the store, creates it if `create` allows, and migrates its schema. */
export async function openOperator(config: Config, { create }: { create: boolean }): Promise<Operator> {
  const { database } = config
  if (database.kind === 'sqlite') {
    // Otherwise the failure of another thread would be reported, without the system's error code.
    if (create) createPrivateFile(database.file)
    else if (!hasStore(database.file))
      throw new OperatorError(`there is no store at ${database.file}; set its folder with --data`)
  }
  const store = openStore(config, { onLocked: reportLocked })
  let migrated: Migration[]
  let addresses: Addresses
  try {
    if (!create && database.kind === 'postgres') await requireStore(store)
    migrated = await store.migrate()
    await requireCompleteCopy(store.transfer)
    addresses = await findAddresses(config, store)
  } catch (error) {
    await store.close()
    throw error
  }
  const siteDirectory = createSiteDirectory(store.inventory)
  return {
    store,
    migrated,
    clock: systemClock,
    async requireSite(siteUuid) {
      const model = await siteDirectory.find(siteUuid)
      if (!model) throw notFound('site')
      return model
    },
    partners: createPartnerService({ store: store.partners, clock: systemClock }),
    keys: createKeyRing({ store: store.keys, clock: systemClock, algorithm: config.tokenAlgorithm }),
    sessions: createConsoleSessions({
      store: store.sessions,
      partners: store.partners,
      clock: systemClock,
    }),
    inventory: createInventoryService({ store: store.inventory, clock: systemClock }),
    gateways: createGatewayService({ store: store.gateways, clock: systemClock }),
    webhooks: createWebhookAdministration({ store: store.webhooks, clock: systemClock }),
    lifecycle: createLifecycle({ store: store.lifecycle, clock: systemClock }),
    createReadingImport: (progress) => createCountedImport(config, store, siteDirectory, progress),
    addresses,
    [Symbol.asyncDispose]: () => store.close(),
  }
}

/** How often a long import reports the readings that it has stored. */
const COUNT_EVERY_MS = 5_000

function createCountedImport(
  { rawRetentionMs }: Config,
  store: Store,
  siteDirectory: SiteDirectory,
  { onBatch, ...progress }: ImportProgress,
): CountedImport {
  const counter = createStoredCounter(store.importCounts)
  let flushedAt = stopwatch()
  const intake = createReadingImport({
    inventory: store.inventory,
    siteDirectory,
    readings: store.readings,
    clock: systemClock,
    rawRetentionMs,
    counter,
    ...progress,
    onBatch(line) {
      const onDurable = onBatch?.(line)
      return async () => {
        await onDurable?.()
        if (stopwatch() - flushedAt < COUNT_EVERY_MS) return
        flushedAt = stopwatch()
        await counter.flush()
      }
    },
  })
  return {
    ...intake,
    async finish() {
      const report = await intake.finish()
      await counter.flush()
      return report
    },
    async countStored() {
      await intake.settle()
      await counter.flush()
    },
  }
}

/** The devices of a site, by name, with status and warnings. */
export async function describeSiteDevices(
  operator: Operator,
  siteUuid: string,
): ReturnType<typeof describeDevices> {
  const { store, clock } = operator
  const { readings, rollups, presences, commands } = store
  const model = await operator.requireSite(siteUuid)
  const deviceWarnings = createDeviceWarnings({
    readings,
    rollups,
    loadRejections: (site, devices) => loadRejections(commands, site, devices),
  })
  const services = { clock, readings, presences, usualSteps: createUsualSteps(readings), deviceWarnings }
  return describeDevices(services, model, [...model.devices.values()])
}

/** The operator that a link to the console is for if no partner is named: the first enabled one. */
export async function findOperator({ partners }: Operator): Promise<string> {
  const all = await partners.list({ after: undefined, limit: 10_000 })
  const found = all.find(isEnabledOperator)
  if (!found)
    throw new OperatorError(
      'there is no operator; name a partner with --partner, or run: portico partner add',
    )
  return found.partnerUuid
}

/** Events of a site as the operator API returns them. */
export async function readSiteEvents(
  { store, clock, requireSite }: Operator,
  siteUuid: string,
  { after, types }: { after?: number; types?: string },
): Promise<string> {
  await requireSite(siteUuid)
  const start = await findStart(store.events, siteUuid, after?.toString(), clock.now())
  const filter = toEventFilter(types === undefined ? {} : { types }, ROLES)
  return toEventPageText(await readPage(store.events, siteUuid, start, DEFAULT_EVENT_LIMIT, filter))
}

/** A database without Portico's tables is probably not the intended one. */
async function requireStore(store: Store): Promise<void> {
  const [first] = await store.pendingMigrations()
  if (first?.number === 1)
    throw new OperatorError('there is no store in that database; create one: portico migrate')
}

/** Migrations that `portico migrate` would run; changes nothing. */
export async function pendingMigrations(config: Config): Promise<Migration[]> {
  if (config.database.kind === 'sqlite' && !hasStore(config.database.file)) return allMigrations()
  const store = openStore(config)
  try {
    return await store.pendingMigrations()
  } finally {
    await store.close()
  }
}

/** Replaces the store by a backup; returns the file to which the previous store was moved. */
export function restoreStore(config: Config, backup: string): string | undefined {
  if (config.database.kind !== 'sqlite')
    throw new OperatorError('a PostgreSQL database is restored with its own tools: pg_restore')
  const { file } = config.database
  const reason = whyNotABackup(backup)
  if (reason !== undefined) throw new OperatorError(reason)
  const lock = lockForServer(file)
  if (!lock) throw new OperatorError(`a server is using ${file}; stop it first`)
  try {
    return restoreFile(backup, file)
  } finally {
    lock.release()
  }
}

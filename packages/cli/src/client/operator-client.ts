import type {
  ExportFormat,
  ExportGroup,
  ExportInterval,
  ExportKind,
} from '@portico/server/operator/export-choices'
import type { AuditEntry } from '@portico/wire/operator/audit'
import type { OperatorCommand } from '@portico/wire/operator/command'
import type { AddedGateway, Gateway } from '@portico/wire/operator/gateway'
import type { Inventory, InventoryChanges } from '@portico/wire/operator/inventory'
import type { Key } from '@portico/wire/operator/key'
import type { LifecycleChanges, LifecycleTable } from '@portico/wire/operator/lifecycle'
import type { V1Caller } from '@portico/wire/operator/migration'
import type {
  AddedPartner,
  AddedSecret,
  NewPartner,
  Partner,
  PartnerChanges,
  PartnerWithSecrets,
} from '@portico/wire/operator/partner'
import type { ReadingsImport, ReadingsReport } from '@portico/wire/operator/readings'
import type { RejectedMessage } from '@portico/wire/operator/rejected'
import type { ConsoleLink, ConsoleSession } from '@portico/wire/operator/session'
import type { OperatorWebhook } from '@portico/wire/operator/webhook'
import type { Device } from '@portico/wire/v2/device'
import type { Event } from '@portico/wire/v2/event'
import type { Site } from '@portico/wire/v2/site'

/** The parameters of an export, as in the API. */
export interface ExportQuery {
  fromDateTime: string
  toDateTime: string
  format: ExportFormat
  metricTypes?: string
  interval?: ExportInterval
  groupBy?: ExportGroup
}

export interface ImportOptions {
  /** Number of lines that an earlier, interrupted run has stored. */
  skipLines: number
  /** Called with the last line of a batch before it is stored; its result, when all lines up to it are durable. */
  onBatch(line: number): () => void
  /** Called for every rejected line, in order. */
  onRefused(refusal: ReadingsReport['refused'][number]): void
}

export interface EventPage {
  data: Event[]
  pagination: { nextAfter: number; hasMore: boolean }
}

export interface RejectedFilter {
  reason?: string | undefined
  search?: string | undefined
}

export interface AuditFilter {
  action?: string | undefined
  actor?: string | undefined
  search?: string | undefined
}

/** What operators can do, on a store of this machine or through the operator API of a server. */
export interface OperatorClient extends AsyncDisposable {
  listSites(): Promise<Site[]>
  listDevices(siteUuid: string): Promise<Device[]>
  /** Newest first. */
  listCommands(siteUuid: string, filter: { deviceUuid?: string; limit: number }): Promise<OperatorCommand[]>
  /** Oldest first: events after a number, or those of the last hour. Types are separated by commas. */
  readEvents(siteUuid: string, query: { after?: number; types?: string }): Promise<EventPage>

  planInventory(document: Inventory): Promise<InventoryChanges>
  applyInventory(document: Inventory): Promise<InventoryChanges>
  exportInventory(siteUuid: string): Promise<Inventory>

  /** Imports `source` until its end, or until it throws `Interrupted`. Accepted readings are durable afterwards. */
  importReadings(
    mediaType: string,
    source: AsyncIterable<Uint8Array>,
    options: ImportOptions,
  ): Promise<ReadingsReport & { isInterrupted: boolean }>
  /** The bytes of a file. Throws if it is not complete. */
  exportRows(kind: ExportKind, siteUuid: string, query: ExportQuery): AsyncIterable<Uint8Array>
  /** Records an import in the audit log. */
  recordImport(imported: ReadingsImport): Promise<void>

  listGateways(siteUuid: string): Promise<Gateway[]>
  addGateway(siteUuid: string, name: string): Promise<AddedGateway>
  removeGateway(siteUuid: string, gatewayUuid: string): Promise<void>

  listPartners(): Promise<Partner[]>
  getPartner(partnerUuid: string): Promise<PartnerWithSecrets>
  addPartner(partner: NewPartner): Promise<AddedPartner>
  changePartner(partnerUuid: string, changes: PartnerChanges): Promise<Partner>
  addSecret(partnerUuid: string, expiresInDays: number | undefined): Promise<AddedSecret>
  removeSecret(partnerUuid: string, secretId: string): Promise<void>

  /** Newest first. */
  listKeys(): Promise<Key[]>
  /** Oldest first. */
  listWebhooks(): Promise<OperatorWebhook[]>
  setWebhookState(webhookUuid: string, state: 'enabled' | 'disabled'): Promise<OperatorWebhook>

  /** A one-time link for a partner, or for the operator. */
  addConsoleLink(partnerUuid: string | undefined): Promise<ConsoleLink>
  /** Newest first. */
  listSessions(): Promise<ConsoleSession[]>
  endSession(sessionId: string): Promise<void>

  rotateKeys(options: { revokePrevious: boolean }): Promise<{ kid: string }>
  /** Newest first. */
  listRejected(limit: number, filter: RejectedFilter): Promise<RejectedMessage[]>
  /** Newest first. */
  listAudit(limit: number, filter: AuditFilter): Promise<AuditEntry[]>
  listV1Callers(): Promise<V1Caller[]>
  changeLifecycle(changes: LifecycleChanges): Promise<LifecycleTable>
}

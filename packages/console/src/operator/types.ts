import type { Device, Lifecycle, OperatorCommand } from '@portico/sdk/operator'

/** A site with what it contains. */
export interface SiteSummary {
  siteUuid: string
  siteName: string
  timeZone: string
  sandbox: boolean
  buildings: number
  spaces: number
  devices: Presence & { total: number }
  gateways: number
  newestReadingAt: string | null
}

export interface Presence {
  online: number
  offline: number
  unknown: number
}

export interface NewestReading {
  metricType: string
  timestamp: string
  value: number
}

export type SiteDevice = Device & { newestReadings: NewestReading[] }

export type CommandRecord = OperatorCommand & {
  siteUuid: string
  siteName: string
  partnerName: string
  deviceName: string
}

export interface ConsoleSession {
  sessionId: string
  partnerUuid: string
  partnerName: string
  createdAt: string
  expiresAt: string
  address: string
  agent: string
}

export interface InventoryChange {
  kind: string
  uuid: string
  name: string
  what: 'created' | 'updated' | 'archived'
}

export interface InventoryPlan {
  created: number
  updated: number
  archived: number
  unchanged: number
  changes?: InventoryChange[]
}

export interface Health {
  isReady: boolean
  reasons: string[]
  version: string
  startedAt: string
  ingest: { readingsPerMinute: number; newestReadingAt: string | null; waitingToBePacked: number }
  devices: { siteUuid: string; siteName: string; online: number; offline: number; unknown: number }[]
  rejected: { reason: string; count: number }[]
  commands: { state: string; count: number }[]
  webhooks: {
    webhookUuid: string
    partnerUuid: string
    partnerName: string
    url: string
    failingSince: string
  }[]
  secrets: { partnerUuid: string; partnerName: string; hint: string; expiresAt: string }[]
  v1Calls: number
}

export type { Lifecycle }

import type { Device, InventoryChanges, OperatorCommand } from '@portico/sdk/operator'

export interface DeviceCounts {
  total: number
  online: number
  offline: number
  unknown: number
}

export interface OperatorSite {
  siteUuid: string
  siteName: string
  timeZone: string
  sandbox: boolean
  buildings: number
  spaces: number
  devices: DeviceCounts
  gateways: number
  newestReadingAt: string | null
}

export type OperatorDevice = Device & {
  latestReadings: { metricType: string; timestamp: string; value: number }[]
}

export type ListedCommand = OperatorCommand & {
  siteUuid: string
  siteName: string | null
  partnerName: string | null
  deviceName: string | null
}

export type InventoryPlan = InventoryChanges & { changes?: InventoryChange[] }

export interface InventoryChange {
  kind: string
  uuid: string
  name?: string | undefined
  what: string
}

export interface InstallationHealth {
  version: string
  startedAt: string
  uptimeSeconds: number
  refreshedAt: string
  notReady: string[]
  ingest: {
    readingsPerMinute: number
    newestReadingAt: string | null
    waitingToBePacked: number
    waitingRollups: number
  }
  devices: DeviceCounts & { sites: { siteUuid: string; siteName: string; devices: DeviceCounts }[] }
  rejected: { reason: string; messages: number }[]
  commands: { state: string; commands: number }[]
  webhooks: {
    enabled: number
    failing: number
    disabled: number
    attention: {
      webhookUuid: string
      partnerUuid: string
      url: string
      failingSince: string | null
      reason: string | null
    }[]
  }
  expiringSecrets: {
    partnerUuid: string
    partnerName: string
    secretId: string
    hint: string
    expiresAt: string
  }[]
  v1: { partners: number; endpoints: number; lastSeenAt: string | null }
}

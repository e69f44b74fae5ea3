import type { InventoryChanges } from '@portico/sdk/operator'

/** What a dry run says about one record. */
export interface InventoryChange {
  kind: string
  uuid: string
  name?: string | undefined
  what: string
}

export type InventoryPlan = InventoryChanges & { changes?: InventoryChange[] }

import type { AuditEntry } from '../identity/audit.ts'

export interface Blackout {
  from: number
  to: number
}

/** The dates that an operator has set for one endpoint; null where none is set. */
export interface LifecycleOverride {
  method: string
  path: string
  deprecatedAt: number | null
  sunsetAt: number | null
  blackouts: readonly Blackout[]
}

/** A change of one endpoint: an absent field is unchanged, null clears it. */
export interface LifecycleChange {
  method: string
  path: string
  deprecatedAt?: number | null
  sunsetAt?: number | null
  blackouts?: readonly Blackout[] | null
}

export interface LifecycleStore {
  list(): Promise<LifecycleOverride[]>
  /** One transaction: all changes, each with its audit entry. */
  change(changes: readonly { change: LifecycleChange; entry: AuditEntry }[]): Promise<void>
}

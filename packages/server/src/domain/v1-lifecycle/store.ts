import type { AuditEntry } from '../identity/audit.ts'

export interface Blackout {
  from: number
  to: number
}

/** An operator's settings for one endpoint; null where not set. */
export interface LifecycleOverride {
  method: string
  path: string
  deprecatedAt: number | null
  sunsetAt: number | null
  blackouts: readonly Blackout[]
}

/** A change of one endpoint: an absent field stays unchanged, null clears it. */
export interface LifecycleChange {
  method: string
  path: string
  deprecatedAt?: number | null
  sunsetAt?: number | null
  blackouts?: readonly Blackout[] | null
}

export interface LifecycleStore {
  list(): Promise<LifecycleOverride[]>
  /** Applies all changes or none, each with its audit entry. */
  change(changes: readonly { change: LifecycleChange; entry: AuditEntry }[]): Promise<void>
}

import type { AuditEntry } from '../identity/audit.ts'

export interface Blackout {
  from: number
  to: number
}

/** What an operator has said of one endpoint; null where nothing was said. */
export interface LifecycleOverride {
  method: string
  path: string
  deprecatedAt: number | null
  sunsetAt: number | null
  blackouts: readonly Blackout[]
}

/** What to change of one endpoint: an absent field stays, null clears. */
export interface LifecycleChange {
  method: string
  path: string
  deprecatedAt?: number | null
  sunsetAt?: number | null
  blackouts?: readonly Blackout[] | null
}

export interface LifecycleStore {
  list(): Promise<LifecycleOverride[]>
  /** All of them or none; each with its entry. */
  change(changes: readonly { change: LifecycleChange; entry: AuditEntry }[]): Promise<void>
}

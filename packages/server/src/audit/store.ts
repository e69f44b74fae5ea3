import type { RecordedEntry } from './audit.ts'

export interface AuditStore {
  /** Newest first; `before` is the id of the last entry of the page before. */
  list(page: { before: number | undefined; limit: number }): Promise<RecordedEntry[]>
}

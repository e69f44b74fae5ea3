import type { AuditEntry } from '../audit/audit.ts'
import type { Site } from './site.ts'

export interface SiteStore {
  /** The sites among `siteUuids` that exist, by name. */
  list(siteUuids: readonly string[]): Promise<Site[]>
  add(site: Site, entry: AuditEntry): Promise<'added' | 'uuid-taken'>
}

import type { Site } from './site.ts'

export interface SiteStore {
  /** The sites among `siteUuids` that exist, by name. */
  list(siteUuids: readonly string[]): Promise<Site[]>
}

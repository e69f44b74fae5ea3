import { BoundedMap } from '../lib/bounded-map.ts'
import { METRIC_NAMES } from '../metric/catalogue.ts'
import { createSiteModel, type SiteModel } from './site-model.ts'
import type { InventoryStore } from './store.ts'

const MAX_SITES = 500

/** Site models, made anew whenever the store's version of the site has moved on. */
export interface SiteDirectory {
  find(siteUuid: string): Promise<SiteModel | undefined>
}

export function createSiteDirectory(store: InventoryStore): SiteDirectory {
  const models = new BoundedMap<string, SiteModel>(MAX_SITES)
  return {
    async find(siteUuid) {
      const known = models.get(siteUuid)
      const version = await store.version(siteUuid)
      if (version === undefined) return undefined
      if (known?.version === version) return known
      const stored = await store.load(siteUuid)
      if (!stored) return undefined
      const model = createSiteModel(stored, METRIC_NAMES)
      models.set(siteUuid, model)
      return model
    },
  }
}

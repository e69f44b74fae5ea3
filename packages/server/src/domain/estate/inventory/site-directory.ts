import { VersionedCache } from '../../../kernel/cache.ts'
import { andThen, type MaybePromise } from '../../../kernel/maybe-promise.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import { METRIC_NAMES } from '../../metric/catalogue.ts'
import { createSiteModel, type SiteModel } from './site-model.ts'
import type { InventoryStore } from './store.ts'

const MAX_SITES = 500

/** Cached site models, rebuilt when the store's version of the site has changed. */
export interface SiteDirectory {
  find(siteUuid: string): MaybePromise<SiteModel | undefined>
}

export function createSiteDirectory(store: Pick<InventoryStore, 'version' | 'load'>): SiteDirectory {
  const models = new VersionedCache<string, SiteModel>(MAX_SITES)
  const loading = new Map<string, Promise<SiteModel | undefined>>()

  const load = async (siteUuid: string): Promise<SiteModel | undefined> => {
    const stored = await store.load(siteUuid)
    if (!stored) return undefined
    await yieldIfDue()
    const model = createSiteModel(stored, METRIC_NAMES)
    models.set(siteUuid, model.version, model)
    return model
  }

  /** Single-flight: when a site has changed, hundreds of devices may need its model at the same time. */
  const loadOnce = (siteUuid: string, version: number): Promise<SiteModel | undefined> => {
    const key = `${siteUuid} ${version}`
    let loaded = loading.get(key)
    if (!loaded) {
      loaded = load(siteUuid).finally(() => loading.delete(key))
      loading.set(key, loaded)
    }
    return loaded
  }

  return {
    find: (siteUuid) =>
      andThen(store.version(siteUuid), (version) =>
        version === undefined ? undefined : (models.get(siteUuid, version) ?? loadOnce(siteUuid, version)),
      ),
  }
}

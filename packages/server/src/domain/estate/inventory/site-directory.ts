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
  /**
   * Like `find`, but a model that has to be loaded is not cached. For work on all sites, which would evict the models
   * of those in use.
   */
  inspect(siteUuid: string): MaybePromise<SiteModel | undefined>
  /** The version of a site's inventory; undefined if there is no such site. */
  version(siteUuid: string): MaybePromise<number | undefined>
}

export function createSiteDirectory(store: Pick<InventoryStore, 'version' | 'load'>): SiteDirectory {
  const models = new VersionedCache<string, SiteModel>(MAX_SITES)
  const loading = new Map<string, Promise<SiteModel | undefined>>()

  const load = async (siteUuid: string): Promise<SiteModel | undefined> => {
    const stored = await store.load(siteUuid)
    if (!stored) return undefined
    await yieldIfDue()
    return createSiteModel(stored, METRIC_NAMES)
  }

  const loadAndCache = async (siteUuid: string): Promise<SiteModel | undefined> => {
    const model = await load(siteUuid)
    if (model) models.set(siteUuid, model.version, model)
    return model
  }

  /** Single-flight: when a site has changed, hundreds of devices may need its model at the same time. */
  const loadOnce = (siteUuid: string, version: number): Promise<SiteModel | undefined> => {
    const key = `${siteUuid} ${version}`
    let loaded = loading.get(key)
    if (!loaded) {
      loaded = loadAndCache(siteUuid).finally(() => loading.delete(key))
      loading.set(key, loaded)
    }
    return loaded
  }

  const findOr = (
    siteUuid: string,
    loadMissing: (siteUuid: string, version: number) => Promise<SiteModel | undefined>,
  ): MaybePromise<SiteModel | undefined> =>
    andThen(store.version(siteUuid), (version) =>
      version === undefined ? undefined : (models.get(siteUuid, version) ?? loadMissing(siteUuid, version)),
    )

  return {
    find: (siteUuid) => findOr(siteUuid, loadOnce),
    inspect: (siteUuid) => findOr(siteUuid, load),
    version: (siteUuid) => store.version(siteUuid),
  }
}

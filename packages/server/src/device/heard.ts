import type { Heard } from '../../device/status.ts'
import type { SiteModel } from '../../inventory/site-model.ts'
import type { Services } from '../services.ts'

/** What the status of a site's devices is told from. */
export async function heardOf({ readings, presences }: Services, { site }: SiteModel): Promise<Heard> {
  return { latest: await readings.latest(site.siteUuid), presences: await presences.list(site.siteUuid) }
}

import type { Site as WireSite } from '@portico/wire/v2/site'
import { getZone } from '../../calendar/zone.ts'
import type { Site } from '../../domain/estate/inventory/inventory.ts'

export const toWireSite = ({ siteUuid, siteName, timeZone, sandbox }: Site): WireSite => ({
  siteUuid,
  siteName,
  timeZone: getZone(timeZone).name,
  sandbox,
})

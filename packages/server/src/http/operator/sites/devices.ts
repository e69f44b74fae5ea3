import { Page, PageQuery } from '@portico/wire/page'
import { Device } from '@portico/wire/v2/device'
import { jsonAlways } from '../../pipeline/produces.ts'
import { pageReply, readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { describeDevices, type DeviceServices } from '../../resources/describe-devices.ts'
import { OPERATOR_GATES } from '../surface.ts'
import { requireSiteInPath, SiteParams } from './site.ts'

export const listDevicesOfSite = defineRoute({
  method: 'GET',
  path: '/sites/{siteUuid}/devices',
  operationId: 'listDevicesOfSite',
  summary: 'List the devices of a site',
  description: 'By name, with status and warnings. Archived devices are left out.',
  tags: ['Sites'],
  gates: OPERATOR_GATES,
  params: SiteParams,
  query: PageQuery,
  produces: jsonAlways(200, 'One page of devices', Page(Device)),
  errors: ['forbidden', 'not-found'],
  async handle(call, services: DeviceServices & Pick<Services, 'siteDirectory' | 'cursors' | 'addresses'>) {
    const site = await requireSiteInPath(call, services)
    const scope = `operator/devices ${call.caller.partnerUuid} ${site.site.siteUuid}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const devices = [...site.devices.values()]
    const start =
      position === undefined ? 0 : devices.findIndex(({ record }) => record.deviceUuid === position) + 1
    const page = toPage(
      devices.slice(start, start + limit + 1),
      limit,
      (device) => device,
      ({ record }) => services.cursors.encode(scope, record.deviceUuid),
    )
    const data = await describeDevices(services, site, page.data)
    return pageReply(call, services, { ...page, data }, limit)
  },
})

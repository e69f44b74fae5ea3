import { DESCRIBED_AS } from '@portico/wire/about'
import { OperatorDevice } from '@portico/wire/operator/device'
import { Page, PageQuery } from '@portico/wire/page'
import { type Static, Type } from 'typebox'
import type { Device, SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import { METRIC_NAMES } from '../../../domain/metric/catalogue.ts'
import { loadSignals, withUsualSteps } from '../../../domain/telemetry/device-status/signals.ts'
import { DEVICE_STATUSES, deriveDeviceState } from '../../../domain/telemetry/device-status/status.ts'
import type { LatestReading } from '../../../domain/telemetry/reading/store.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import { pageReply, readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { page } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { describeDevices, type DeviceServices } from '../../resources/describe-devices.ts'
import type { Services } from '../../services.ts'
import { OPERATOR_GATES } from '../surface.ts'
import { requireSiteInPath, SiteParams } from './site.ts'

const DevicesQuery = Type.Object(
  {
    ...PageQuery.properties,
    status: Type.Optional(
      Type.Enum([...DEVICE_STATUSES], {
        description: 'Only devices with this status.',
        examples: ['offline'],
      }),
    ),
    silentForMinutes: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,6}$',
        description: 'Only devices that were not seen for this many minutes, or never.',
        examples: [120],
        [DESCRIBED_AS]: { type: 'integer', minimum: 1, maximum: 9_999_999 },
      }),
    ),
  },
  { additionalProperties: false },
)

export const listDevicesOfSite = defineRoute({
  method: 'GET',
  path: '/sites/{siteUuid}/devices',
  operationId: 'listDevicesOfSite',
  summary: 'List the devices of a site',
  description: 'By name, with status, warnings and newest readings. Archived devices are left out.',
  tags: ['Sites'],
  gates: OPERATOR_GATES,
  params: SiteParams,
  query: DevicesQuery,
  produces: page('One page of devices', Page(OperatorDevice)),
  errors: ['forbidden', 'not-found'],
  async handle(call, services: DeviceServices & Pick<Services, 'siteDirectory' | 'cursors' | 'addresses'>) {
    const site = await requireSiteInPath(call, services)
    const { status = 'all', silentForMinutes = '0' } = call.query
    const scope = `operator/devices ${call.caller.partnerUuid} ${site.site.siteUuid} ${status} ${silentForMinutes}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const devices = [...site.devices.values()]
    const start =
      position === undefined ? 0 : devices.findIndex(({ record }) => record.deviceUuid === position) + 1
    const found = toPage(
      await selectDevices(services, site, devices.slice(start), call.query, limit + 1),
      limit,
      (device) => device,
      ({ record }) => services.cursors.encode(scope, record.deviceUuid),
    )
    const data = await describeForOperator(services, site, found.data)
    return pageReply(call, services, { ...found, data }, limit)
  },
})

/** The first devices that match the filters. */
async function selectDevices(
  services: DeviceServices,
  site: SiteModel,
  devices: readonly Device[],
  { status, silentForMinutes }: Static<typeof DevicesQuery>,
  count: number,
): Promise<readonly Device[]> {
  if (status === undefined && silentForMinutes === undefined) return devices.slice(0, count)
  const now = services.clock.now()
  const seenBefore = silentForMinutes === undefined ? now + 1 : now - Number(silentForMinutes) * 60_000
  const signals = await withUsualSteps(services, site, devices, await loadSignals(services, site), now)
  const matches = devices.filter((device) => {
    const state = deriveDeviceState(device, signals, now)
    const isSilent = silentForMinutes === undefined || (state.lastSeenAt ?? 0) <= seenBefore
    return isSilent && (status === undefined || state.status === status)
  })
  return matches.slice(0, count)
}

async function describeForOperator(
  services: DeviceServices,
  site: SiteModel,
  devices: readonly Device[],
): Promise<OperatorDevice[]> {
  const seriesIds = devices.flatMap(({ series }) => Object.values(series))
  const latest = await services.readings.latest(site.site.siteUuid, seriesIds)
  const described = await describeDevices(services, site, devices)
  return described.map((device, index) => ({
    ...device,
    latestReadings: toLatestReadings(devices[index], latest),
  }))
}

const toLatestReadings = (
  device: Device | undefined,
  latest: ReadonlyMap<number, LatestReading>,
): OperatorDevice['latestReadings'] =>
  METRIC_NAMES.flatMap((metricType) => {
    const series: Readonly<Record<string, number>> = device?.series ?? {}
    const found = latest.get(series[metricType] ?? -1)
    return found ? [{ metricType, timestamp: isoInstant(found.at), value: found.value }] : []
  })

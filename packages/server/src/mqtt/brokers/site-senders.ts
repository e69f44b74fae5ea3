import type { GatewayStore } from '../../domain/estate/gateway/store.ts'
import type { SiteDirectory } from '../../domain/estate/inventory/site-directory.ts'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'

type Gateways = Pick<GatewayStore, 'list'>

/** Devices and gateways of a site: those whose presence is accepted. */
export interface SiteUnits {
  has(unitUuid: string): boolean
}

export async function isKnownUnit(model: SiteModel, unitUuid: string, gateways: Gateways): Promise<boolean> {
  return model.devices.has(unitUuid) || (await loadGatewayUuids(model, gateways)).has(unitUuid)
}

/** Undefined for a site that does not exist. */
export async function loadSiteUnits(
  siteUuid: string,
  { siteDirectory, gateways }: { siteDirectory: SiteDirectory; gateways: Gateways },
): Promise<SiteUnits | undefined> {
  const model = await siteDirectory.find(siteUuid)
  if (!model) return undefined
  const gatewayUuids = await loadGatewayUuids(model, gateways)
  return { has: (unitUuid) => model.devices.has(unitUuid) || gatewayUuids.has(unitUuid) }
}

/** Gateways with an account, and gateways that only devices refer to. */
async function loadGatewayUuids({ site, devices }: SiteModel, gateways: Gateways): Promise<Set<string>> {
  const accounts = await gateways.list(site.siteUuid)
  return new Set([
    ...accounts.map(({ gatewayUuid }) => gatewayUuid),
    ...[...devices.values()].flatMap(({ record }) => record.gatewayUuid ?? []),
  ])
}

import { type AuditEntry, COMMAND_LINE } from '../../src/domain/identity/audit.ts'
import type { InventoryDocument, Site, SiteRecord } from '../../src/domain/estate/inventory/inventory.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import type { Partner } from '../../src/domain/identity/partner/partner.ts'
import { createSecret, type StoredSecret } from '../../src/domain/identity/partner/secret.ts'
import type { Store } from '../../src/store/store.ts'

export const NOON = Date.UTC(2026, 10, 15, 12)

export const entry = (action = 'test.done', at = NOON): AuditEntry => ({
  at,
  actor: COMMAND_LINE,
  action,
  target: 'target',
  detail: { note: 'a test' },
})

export const newPartner = (changes: Partial<Partner> = {}): Partner => ({
  partnerUuid: newUuid(),
  clientId: newUuid(),
  name: 'Example Energy',
  enabled: true,
  roles: ['Spaces.Read'],
  sites: [],
  tokensNotBefore: 0,
  createdAt: NOON,
  updatedAt: NOON,
  rateLimits: {},
  ...changes,
})

export async function addPartner(
  store: Store,
  changes: Partial<Partner> = {},
): Promise<{ partner: Partner; secret: StoredSecret; value: string }> {
  const partner = newPartner(changes)
  const { secret, value } = createSecret(NOON, 365)
  await store.partners.add(partner, secret, entry('partner.added'))
  return { partner, secret, value }
}

/** An empty site. */
export const newInventory = (site: Partial<SiteRecord> = {}): InventoryDocument => ({
  site: {
    siteUuid: newUuid(),
    siteName: 'A site',
    timeZone: 'Europe/London',
    legacyId: null,
    latitude: null,
    longitude: null,
    postcode: null,
    sandbox: false,
    policy: {},
    ...site,
  },
  buildings: [],
  spaces: [],
  devices: [],
})

export async function addSite(store: Store, siteName = 'A site'): Promise<Site> {
  const document = newInventory({ siteName })
  await store.inventory.apply(document.site.siteUuid, document, entry('site.added'))
  const { siteUuid, timeZone, sandbox } = document.site
  return { siteUuid, siteName, timeZone, sandbox }
}

/** A site with one meter, whose register may also decrease. */
export function newMeterInventory(): InventoryDocument & { deviceUuid: string } {
  const document = newInventory()
  const [buildingUuid, spaceUuid, deviceUuid] = [newUuid(), newUuid(), newUuid()]
  document.buildings.push({ buildingUuid, buildingName: 'House', legacyId: null })
  document.spaces.push({
    spaceUuid,
    spaceName: 'Room',
    spaceType: 'other',
    buildingUuid,
    floorNumber: null,
    clusterUuid: null,
    clusterName: null,
    areaM2: null,
    capacity: null,
    legacyId: null,
    targets: {},
  })
  document.devices.push({
    deviceUuid,
    deviceName: 'Meter',
    deviceType: 'electricityMeter',
    spaceUuid,
    gatewayUuid: null,
    manufacturer: null,
    model: null,
    serialNumber: null,
    firmwareVersion: null,
    installedAt: null,
    metrics: { electricity: { kind: 'gauge', registerSize: null, maxPerHour: null } },
    capabilities: {},
    since: null,
  })
  return { ...document, deviceUuid }
}

export async function addMeter(
  store: Store,
): Promise<{ siteUuid: string; deviceUuid: string; seriesId: number }> {
  const { deviceUuid, ...document } = newMeterInventory()
  const { siteUuid } = document.site
  await store.inventory.apply(siteUuid, document, entry('site.added'))
  const [device] = (await store.inventory.load(siteUuid))?.devices ?? []
  return { siteUuid, deviceUuid, seriesId: device?.series.electricity ?? -1 }
}

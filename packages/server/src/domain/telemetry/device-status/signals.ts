import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import type { PresenceStore } from '../../estate/presence.ts'
import type { ReadingStore } from '../reading/store.ts'
import type { DeviceSignals } from './status.ts'

export interface SignalStores {
  readings: Pick<ReadingStore, 'latest'>
  presences: Pick<PresenceStore, 'list'>
}

/** The signals from which the status of a site's devices is derived. */
export async function loadSignals(
  { readings, presences }: SignalStores,
  { site }: SiteModel,
): Promise<DeviceSignals> {
  return { latest: await readings.latest(site.siteUuid), presences: await presences.list(site.siteUuid) }
}

/** The signals of one device only: a site may have thousands. */
export async function loadDeviceSignals(
  { readings, presences }: SignalStores,
  { site }: SiteModel,
  { record, series }: Device,
): Promise<DeviceSignals> {
  const { deviceUuid, gatewayUuid } = record
  const units = gatewayUuid === null ? [deviceUuid] : [deviceUuid, gatewayUuid]
  return {
    latest: await readings.latest(site.siteUuid, Object.values(series)),
    presences: await presences.list(site.siteUuid, units),
  }
}

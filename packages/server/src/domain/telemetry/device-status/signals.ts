import type { SiteRecord } from '../../estate/inventory/inventory.ts'
import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import type { PresenceStore } from '../../estate/presence.ts'
import type { ReadingStore } from '../reading/store.ts'
import type { DeviceSignals, ReportedSignals } from './status.ts'
import type { UsualSteps } from './usual-steps.ts'

export interface SignalStores {
  readings: Pick<ReadingStore, 'latest'>
  presences: Pick<PresenceStore, 'list'>
}

/** The latest readings and presence of a site's devices. */
export async function loadSignals(
  { readings, presences }: SignalStores,
  { site }: { readonly site: Pick<SiteRecord, 'siteUuid'> },
): Promise<ReportedSignals> {
  return { latest: await readings.latest(site.siteUuid), presences: await presences.list(site.siteUuid) }
}

/** The signals of one device only: a site may have thousands. */
export async function loadDeviceSignals(
  { readings, presences }: SignalStores,
  { site }: SiteModel,
  { record, series }: Device,
): Promise<ReportedSignals> {
  const { deviceUuid, gatewayUuid } = record
  const units = gatewayUuid === null ? [deviceUuid] : [deviceUuid, gatewayUuid]
  return {
    latest: await readings.latest(site.siteUuid, Object.values(series)),
    presences: await presences.list(site.siteUuid, units),
  }
}

/** Adds the usual steps of some devices. The status of a device that sends readings only is derived from them. */
export async function withUsualSteps(
  { usualSteps }: { usualSteps: UsualSteps },
  { site }: SiteModel,
  devices: readonly Device[],
  signals: ReportedSignals,
  now: number,
): Promise<DeviceSignals> {
  return { ...signals, steps: await usualSteps.load(site.siteUuid, devices, signals.latest, now) }
}

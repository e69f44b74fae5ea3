import type { Clock } from '../../../kernel/clock.ts'
import { stopwatch } from '../../../kernel/clock.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import type { SiteDirectory } from '../../estate/inventory/site-directory.ts'
import { loadSignals, type SignalStores, withUsualSteps } from './signals.ts'
import { DEVICE_STATUSES, type DeviceStatus, deriveDeviceState } from './status.ts'
import type { UsualSteps } from './usual-steps.ts'

/** Time budget of one call, except the first; sites that do not fit keep their previous counts. */
const BUDGET_MS = 50
/** A site is counted again after this multiple of the time that counting it took. */
const REST_FACTOR = 20

export interface DeviceCounts {
  byStatus: Record<DeviceStatus, number>
  series: number
}

/** The numbers of one site. */
export interface SiteCounts extends DeviceCounts {
  buildings: number
  spaces: number
  newestReadingAt: number | null
}

interface CachedCounts extends SiteCounts {
  countedAt: number
  nextAt: number
}

/**
 * Counts the devices of all sites by status, and their series. The cost of a call is bounded: within its time budget,
 * it recounts the sites that were counted longest ago.
 */
export type CountDevices = (
  siteUuids: readonly string[],
) => Promise<DeviceCounts & { bySite: ReadonlyMap<string, SiteCounts> }>

export function createDeviceCounts(
  deps: SignalStores & {
    siteDirectory: Pick<SiteDirectory, 'inspect'>
    usualSteps: UsualSteps
    clock: Clock
  },
): CountDevices {
  const { siteDirectory, clock } = deps
  const bySite = new Map<string, CachedCounts>()

  const countSite = async (siteUuid: string): Promise<void> => {
    const startedAt = stopwatch()
    const model = await siteDirectory.inspect(siteUuid)
    const counts: SiteCounts = { ...noDevices(), buildings: 0, spaces: 0, newestReadingAt: null }
    if (model) {
      const now = clock.now()
      const devices = [...model.devices.values()]
      const reported = await loadSignals(deps, model)
      const signals = await withUsualSteps(deps, model, devices, reported, now)
      counts.buildings = model.buildings.size
      counts.spaces = model.spaces.size
      for (const device of devices) {
        counts.byStatus[deriveDeviceState(device, signals, now).status] += 1
        counts.series += Object.keys(device.series).length
        for (const seriesId of Object.values(device.series)) {
          const readAt = reported.latest.get(seriesId)?.at
          if (readAt !== undefined && readAt > (counts.newestReadingAt ?? Number.NEGATIVE_INFINITY))
            counts.newestReadingAt = readAt
        }
        await yieldIfDue()
      }
    }
    const countedAt = stopwatch()
    bySite.set(siteUuid, { ...counts, countedAt, nextAt: countedAt + REST_FACTOR * (countedAt - startedAt) })
  }

  return async (siteUuids) => {
    const startedAt = stopwatch()
    const existing = new Set(siteUuids)
    for (const siteUuid of bySite.keys()) if (!existing.has(siteUuid)) bySite.delete(siteUuid)
    for (const siteUuid of siteUuids) if (!bySite.has(siteUuid)) await countSite(siteUuid)
    const due = [...bySite]
      .filter(([, { nextAt, countedAt }]) => countedAt < startedAt && nextAt <= startedAt)
      .toSorted(([, a], [, b]) => a.countedAt - b.countedAt)
    for (const [siteUuid] of due) {
      if (stopwatch() - startedAt > BUDGET_MS) break
      await countSite(siteUuid)
    }
    return { ...[...bySite.values()].reduce<DeviceCounts>(addCounts, noDevices()), bySite }
  }
}

const noDevices = (): DeviceCounts => ({ byStatus: { online: 0, offline: 0, unknown: 0 }, series: 0 })

function addCounts(sum: DeviceCounts, { byStatus, series }: DeviceCounts): DeviceCounts {
  for (const status of DEVICE_STATUSES) sum.byStatus[status] += byStatus[status]
  sum.series += series
  return sum
}

import type { Clock } from '../../../kernel/clock.ts'
import { stopwatch } from '../../../kernel/clock.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import type { SiteDirectory } from '../../estate/inventory/site-directory.ts'
import { loadSignals, type SignalStores, withUsualSteps } from './signals.ts'
import { DEVICE_STATUSES, type DeviceStatus, deriveDeviceState } from './status.ts'
import type { UsualSteps } from './usual-steps.ts'

/** Time in which one call counts again, after the first one; sites that do not fit keep their counts. */
const BUDGET_MS = 50
/** A site is counted again after this multiple of the time that counting it took. */
const REST_FACTOR = 20

export interface DeviceCounts {
  byStatus: Record<DeviceStatus, number>
  series: number
}

interface SiteCounts extends DeviceCounts {
  countedAt: number
  nextAt: number
}

/**
 * Counts the devices of all sites by status, and their series. The cost of a call is bounded: the sites that were
 * counted longest ago are counted again, as far as the time for a call allows.
 */
export type CountDevices = (siteUuids: readonly string[]) => Promise<DeviceCounts>

export function createDeviceCounts(
  deps: SignalStores & { siteDirectory: SiteDirectory; usualSteps: UsualSteps; clock: Clock },
): CountDevices {
  const { siteDirectory, clock } = deps
  const bySite = new Map<string, SiteCounts>()

  const countSite = async (siteUuid: string): Promise<void> => {
    const startedAt = stopwatch()
    const model = await siteDirectory.find(siteUuid)
    const counts = noDevices()
    if (model) {
      const now = clock.now()
      const devices = [...model.devices.values()]
      const signals = await withUsualSteps(deps, model, devices, await loadSignals(deps, model), now)
      for (const device of devices) {
        counts.byStatus[deriveDeviceState(device, signals, now).status] += 1
        counts.series += Object.keys(device.series).length
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
    return [...bySite.values()].reduce(addCounts, noDevices())
  }
}

const noDevices = (): DeviceCounts => ({ byStatus: { online: 0, offline: 0, unknown: 0 }, series: 0 })

function addCounts(sum: DeviceCounts, { byStatus, series }: DeviceCounts): DeviceCounts {
  for (const status of DEVICE_STATUSES) sum.byStatus[status] += byStatus[status]
  sum.series += series
  return sum
}

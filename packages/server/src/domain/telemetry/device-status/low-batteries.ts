import { BoundedCache } from '../../../kernel/cache.ts'
import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import type { LatestReading, ReadingStore } from '../reading/store.ts'
import { FEW_DEVICES } from './status.ts'

/** Below this percentage, a battery is low. */
const LOW_PERCENT = 15

/** Readings of a low battery that are examined to find when it became low. */
const RECENT_READINGS = 200

const SERIES_PER_READ = 100

const MAX_CACHED_SERIES = 20_000

export interface LowBattery {
  percent: number
  /** The first of the consecutive low readings. */
  since: number
}

/** Finds the devices whose battery is low, by device. */
export type FindLowBatteries = (
  model: SiteModel,
  devices: readonly Device[],
  latest: ReadonlyMap<number, LatestReading>,
) => Promise<ReadonlyMap<string, LowBattery>>

export function createLowBatteries(readings: Pick<ReadingStore, 'recent'>): FindLowBatteries {
  const known = new BoundedCache<number, { at: number; since: number }>(MAX_CACHED_SERIES)

  return async ({ site }, devices, latest) => {
    const low = devices.flatMap(({ record, series }) => {
      const reading = latest.get(series.battery ?? -1)
      if (series.battery === undefined || !reading || !isLowBattery(reading.value)) return []
      return { deviceUuid: record.deviceUuid, seriesId: series.battery, reading }
    })
    const mayUseCache = devices.length > FEW_DEVICES
    const missing = low.filter(
      ({ seriesId, reading }) => !mayUseCache || known.get(seriesId)?.at !== reading.at,
    )
    for (let start = 0; start < missing.length; start += SERIES_PER_READ) {
      const some = missing.slice(start, start + SERIES_PER_READ)
      const ids = some.map(({ seriesId }) => seriesId)
      const recent = await readings.recent(site.siteUuid, ids, RECENT_READINGS)
      for (const { seriesId, reading } of some) {
        const { timestamps = [], values = [] } = recent.get(seriesId) ?? {}
        const since = timestamps[values.findLastIndex((percent) => !isLowBattery(percent)) + 1]
        known.set(seriesId, { at: reading.at, since: since ?? reading.at })
      }
    }
    return new Map(
      low.map(({ deviceUuid, seriesId, reading }) => {
        const since = known.get(seriesId)?.since ?? reading.at
        return [deviceUuid, { percent: Math.max(0, reading.value), since }]
      }),
    )
  }
}

export const isLowBattery = (percent: number): boolean => percent < LOW_PERCENT

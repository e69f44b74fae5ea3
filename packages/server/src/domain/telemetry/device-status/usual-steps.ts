import { BoundedCache } from '../../../kernel/cache.ts'
import { median } from '../../../kernel/statistics.ts'
import type { Device } from '../../estate/inventory/site-model.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import type { LatestReading, ReadingStore } from '../reading/store.ts'
import { FEW_DEVICES, STALE_AFTER_STEPS } from './status.ts'

const MINUTE_MS = 60_000

/** A sensor that reports every few seconds is not stale after a few of them. */
const SHORTEST_STEP_MS = 5 * MINUTE_MS

/** Only a series that has been silent for longer can be stale, so the steps of others are not needed. */
const SILENT_AFTER_MS = STALE_AFTER_STEPS * SHORTEST_STEP_MS

/** The step is the median distance between this many of the newest readings. */
const RECENT_READINGS = 16

/** With fewer readings, their distance is not representative. */
const FEWEST_READINGS = 3

/** Series that one statement reads. */
const SERIES_PER_READ = 1_000

const MAX_CACHED_SERIES = 100_000

/** How often the series of a site usually get a reading. */
export interface UsualSteps {
  /**
   * The usual time between two readings, in milliseconds, for each series of the devices that has been silent for some
   * time. Series with too few readings are left out.
   */
  load(
    siteUuid: string,
    devices: readonly Device[],
    latest: ReadonlyMap<number, LatestReading>,
    now: number,
  ): Promise<ReadonlyMap<number, number>>
}

export function createUsualSteps(readings: Pick<ReadingStore, 'recent'>): UsualSteps {
  /** A silent series keeps its step until its next reading. */
  const known = new BoundedCache<number, { at: number; stepMs: number }>(MAX_CACHED_SERIES)

  return {
    async load(siteUuid, devices, latest, now) {
      const steps = new Map<number, number>()
      const missing: { seriesId: number; at: number }[] = []
      const mayUseCache = devices.length > FEW_DEVICES
      for (const { seriesId, declaredMs } of devices.flatMap(listSeries)) {
        const at = latest.get(seriesId)?.at
        if (at === undefined || now - at <= SILENT_AFTER_MS) continue
        const cached = mayUseCache ? known.get(seriesId) : undefined
        const stepMs = declaredMs ?? (cached?.at === at ? cached.stepMs : undefined)
        if (stepMs === undefined) missing.push({ seriesId, at })
        else steps.set(seriesId, Math.max(SHORTEST_STEP_MS, stepMs))
      }
      for (let start = 0; start < missing.length; start += SERIES_PER_READ) {
        const some = missing.slice(start, start + SERIES_PER_READ)
        const ids = some.map(({ seriesId }) => seriesId)
        const recent = await readings.recent(siteUuid, ids, RECENT_READINGS)
        for (const { seriesId, at } of some) {
          const stepMs = medianDistance(recent.get(seriesId)?.timestamps ?? [])
          if (stepMs === undefined) continue
          known.set(seriesId, { at, stepMs })
          steps.set(seriesId, Math.max(SHORTEST_STEP_MS, stepMs))
        }
      }
      return steps
    },
  }
}

/** The series of a device, with the step that the inventory declares. */
const listSeries = ({ record, series }: Device): { seriesId: number; declaredMs: number | undefined }[] =>
  Object.entries(series).map(([metric, seriesId]) => {
    const minutes = record.metrics[metric as MeasuredMetric]?.stepMinutes
    return { seriesId, declaredMs: minutes === undefined ? undefined : minutes * MINUTE_MS }
  })

function medianDistance(timestamps: readonly number[]): number | undefined {
  if (timestamps.length < FEWEST_READINGS) return undefined
  const distances = timestamps.slice(1).map((at, index) => at - (timestamps[index] ?? Number.NaN))
  return median(distances) ?? undefined
}

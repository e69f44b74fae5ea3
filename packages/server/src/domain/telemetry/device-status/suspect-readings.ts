import { AppError } from '../../../kernel/errors.ts'
import { BoundedCache } from '../../../kernel/cache.ts'
import { forEachInChunks } from '../../../kernel/concurrency.ts'
import { getLocalDays, type LocalDays } from '../../../calendar/local-day.ts'
import { type Device, resolveSpec, type SiteModel } from '../../estate/inventory/site-model.ts'
import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import { getCellKind, type MeasuredMetric } from '../../metric/catalogue.ts'
import type { LatestReading, ReadingReader } from '../reading/store.ts'
import { METER } from '../rollup/cell-kind.ts'
import { type CellSource, seriesCells } from '../rollup/cells.ts'
import type { RollupUnit } from '../rollup/rollup-unit.ts'
import type { RollupStore } from '../rollup/store.ts'
import { FEW_DEVICES } from './status.ts'

/** Days in which suspect readings are reported, the current one included. */
const DAYS = 7

/**
 * Meters that are read before other work may run. A store in this process reads them one after another; PostgreSQL reads
 * them with one statement, and their readings of the open days are in memory.
 */
const METERS_PER_STEP = { ownFile: 10, database: 50 }

/** How long a result is reused if the store has no versions of series. */
const REUSED_FOR_MS = 10_000

const MAX_CACHED_SERIES = 50_000

export interface SuspectReadings {
  metric: MeasuredMetric
  /** Start of the first local day with such readings. */
  since: number
}

interface Meter {
  deviceUuid: string
  metric: MeasuredMetric
  seriesId: number
  spec: MetricSpec
}

/** Finds the devices whose consumption on one of the last days is suspect, by device. */
export type FindSuspectReadings = (
  model: SiteModel,
  devices: readonly Device[],
  latest: ReadonlyMap<number, LatestReading>,
  now: number,
) => Promise<ReadonlyMap<string, SuspectReadings>>

interface CachedResult {
  key: string
  readAt: number
  since: number | undefined
}

/** Closed days come from rollups; only open ones are computed from readings. */
export function createSuspectReadings(stores: {
  readings: ReadingReader
  rollups: RollupStore
}): FindSuspectReadings {
  const { versions } = stores.rollups
  const known = new BoundedCache<number, CachedResult>(MAX_CACHED_SERIES)

  /** Changes whenever the result may have changed; without versions, it may also change unnoticed. */
  const toKey = (
    { site, version }: SiteModel,
    seriesId: number,
    { at, value }: LatestReading,
    day: number,
  ) =>
    versions
      ? `${site.siteUuid} ${version} ${day} ${versions.version(seriesId)} ${versions.lastChangeBefore([seriesId], Number.MAX_SAFE_INTEGER)}`
      : `${site.siteUuid} ${version} ${day} ${at} ${value}`

  return async (model, devices, latest, now) => {
    const source: CellSource = { siteUuid: model.site.siteUuid, days: getLocalDays(model.zone), ...stores }
    const units = listDays(source.days, now)
    const [first] = units
    const mayUseCache = devices.length > FEW_DEVICES
    const suspects = new Map<string, SuspectReadings>()
    const record = ({ deviceUuid, metric }: Meter, since: number | undefined): void => {
      const earlier = suspects.get(deviceUuid)
      if (since !== undefined && !(earlier && earlier.since <= since))
        suspects.set(deviceUuid, { metric, since })
    }
    const missing: { meter: Meter; key: string }[] = []
    for (const meter of devices.flatMap(listMeters)) {
      const newest = latest.get(meter.seriesId)
      if (!first || !newest || newest.at < first.from) continue
      const key = toKey(model, meter.seriesId, newest, first.day)
      const cached = mayUseCache ? known.get(meter.seriesId) : undefined
      const age = now - (cached?.readAt ?? Number.NEGATIVE_INFINITY)
      const isValid = cached?.key === key && (versions !== undefined || (age >= 0 && age < REUSED_FOR_MS))
      if (isValid) record(meter, cached.since)
      else missing.push({ meter, key })
    }
    await forEachInChunks(
      missing,
      versions ? METERS_PER_STEP.ownFile : METERS_PER_STEP.database,
      ({ meter }) => findSuspectDay(source, meter, units),
      (since, { meter, key }) => {
        known.set(meter.seriesId, { key, readAt: now, since })
        record(meter, since)
      },
    )
    return suspects
  }
}

/** Start of the first suspect day. A list of devices does not fail because one series cannot be read. */
async function findSuspectDay(
  source: CellSource,
  meter: Meter,
  units: readonly RollupUnit[],
): Promise<number | undefined> {
  try {
    const cells = await seriesCells(source, METER, meter, units)
    return units[cells.findIndex(({ isSuspect }) => isSuspect)]?.from
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return undefined
    throw error
  }
}

function listDays(days: LocalDays, now: number): RollupUnit[] {
  const today = days.dayAt(now)
  return Array.from({ length: DAYS }, (_, index): RollupUnit => {
    const day = today - DAYS + 1 + index
    return { kind: 'day', day, index: 0, from: days.startOfDay(day), to: days.startOfDay(day + 1) }
  }).filter(({ from, to }) => from < to)
}

const listMeters = ({ record, series }: Device): Meter[] =>
  Object.entries(record.metrics).flatMap(([name, spec]) => {
    const metric = name as MeasuredMetric
    const seriesId = series[metric]
    if (seriesId === undefined || getCellKind(metric) !== 'meter') return []
    return { deviceUuid: record.deviceUuid, metric, seriesId, spec: resolveSpec(metric, spec) }
  })

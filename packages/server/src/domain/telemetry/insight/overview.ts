import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import { ENVIRONMENT, isMeasured, METRICS, type MetricName, UTILITIES } from '../../metric/catalogue.ts'
import { toWindows } from '../../../calendar/window-edges.ts'
import type { LatestReading } from '../reading/store.ts'
import { toValue } from '../series/columns.ts'
import type { SeriesService } from '../series/service.ts'

/** A reading older than this does not count as current. */
export const STALE_AFTER_MS = 2 * 3_600_000

export interface UtilityNow {
  metricType: MetricName
  unit: string
  today: number | null
  yesterday: number | null
  monthToDate: number | null
  lastUpdated: number | null
}

export interface ClimateNow {
  metricType: MetricName
  unit: string
  value: number | null
  timestamp: number | null
  stale: boolean
}

type Latest = ReadonlyMap<number, LatestReading>

/** The spaces whose consumption is summed: all spaces of the flat for a room of one, otherwise the space alone. */
const consumptionSpaces = (model: SiteModel, space: SpaceRecord): readonly SpaceRecord[] =>
  space.clusterUuid === null ? [space] : model.spacesIn(space.clusterUuid)

/** Consumption today, yesterday and this month of every utility that the space or its cluster measures. */
export async function utilitiesNow(
  service: SeriesService,
  model: SiteModel,
  space: SpaceRecord,
  latest: Latest,
  now: number,
): Promise<UtilityNow[]> {
  const spaces = consumptionSpaces(model, space)
  const uuids = spaces.map(({ spaceUuid }) => spaceUuid)
  const measured = new Set(uuids.flatMap((spaceUuid) => model.listMetrics(spaceUuid)))
  const today = toWindows(model.zone, 'P1D', now, now + 1).span(0)
  const yesterday = toWindows(model.zone, 'P1D', today.from - 1, today.from).span(0)
  const month = toWindows(model.zone, 'P1M', now, now + 1).span(0)
  const result: UtilityNow[] = []
  for (const metric of UTILITIES) {
    if (!measured.has(metric) || !isMeasured(metric)) continue
    const [ofToday, ofYesterday, ofMonth] = await service.consumption(model, spaces, metric, [
      today,
      yesterday,
      month,
    ])
    const times = model
      .placedInSum(uuids, metric)
      .flat()
      .flatMap(({ seriesId, placement }) => (placement.to === null ? (latest.get(seriesId)?.at ?? []) : []))
    result.push({
      metricType: metric,
      unit: METRICS[metric].unit,
      today: toValue(ofToday),
      yesterday: toValue(ofYesterday),
      monthToDate: toValue(ofMonth),
      lastUpdated: times.length === 0 ? null : Math.max(...times),
    })
    await yieldIfDue()
  }
  return result
}

/** The newest reading of every climate metric in the space itself. */
export function climateNow(model: SiteModel, space: SpaceRecord, latest: Latest, now: number): ClimateNow[] {
  const measured = new Set(model.listMetrics(space.spaceUuid))
  return ENVIRONMENT.filter((metric) => measured.has(metric)).map((metric) => {
    const readings = findLatest(model, space, metric, latest)
    const newest = readings.toSorted((a, b) => b.at - a.at)[0]
    return {
      metricType: metric,
      unit: METRICS[metric].unit,
      value: newest?.value ?? null,
      timestamp: newest?.at ?? null,
      stale: !newest || now - newest.at > STALE_AFTER_MS,
    }
  })
}

/** People present now, summed over the space's sensors with a current reading; null if there is none. */
export function occupancyNow(
  model: SiteModel,
  space: SpaceRecord,
  latest: Latest,
  now: number,
): number | null {
  const fresh = findLatest(model, space, 'occupancy', latest).filter(({ at }) => now - at <= STALE_AFTER_MS)
  return fresh.length === 0 ? null : fresh.reduce((sum, { value }) => sum + value, 0)
}

/** The latest readings of the devices in the space that count in its series. */
export const findLatest = (
  model: SiteModel,
  { spaceUuid }: Pick<SpaceRecord, 'spaceUuid'>,
  metric: MetricName,
  latest: Latest,
): LatestReading[] =>
  isMeasured(metric)
    ? model
        .placedSeries(spaceUuid, metric)
        .flatMap(({ seriesId, placement }) => (placement.to === null ? (latest.get(seriesId) ?? []) : []))
    : []

import { currentOccupancy, occupancySeries } from '../../domain/telemetry/insight/occupancy.ts'
import { estimateSumCost } from '../../domain/telemetry/series/query-cost.ts'
import type { BuildingRecord, SpaceRecord } from '../../domain/estate/inventory/inventory.ts'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { resolveV1Range } from './range.ts'
import type { V1Call } from './route.ts'

/**
 * Queries common to buildings and sites. Weather and grid data are those of the site, because buildings have no
 * coordinates.
 */
export const isInBuilding =
  ({ buildingUuid }: BuildingRecord) =>
  (space: SpaceRecord): boolean =>
    space.buildingUuid === buildingUuid

export const isInSite = (): boolean => true

export async function occupancy({ model, now, services }: V1Call, isThere: (space: SpaceRecord) => boolean) {
  const spaces = [...model.spaces.values()].filter(isThere)
  const latest = await services.readings.latest(model.site.siteUuid)
  const { at, ...counts } = currentOccupancy(model, spaces, latest, now)
  return { ...counts, timestamp: at === null ? null : model.zone.format(at) }
}

const everIn = (model: SiteModel, isThere: (space: SpaceRecord) => boolean): SpaceRecord[] =>
  [...model.spaces.values(), ...model.archivedSpaces].filter(isThere)

export function estimateOccupancyHistory(call: V1Call, isThere: (space: SpaceRecord) => boolean): number {
  const { model } = call
  const counted = everIn(model, isThere).filter(({ spaceUuid }) =>
    model.everMeasuredIn(spaceUuid).includes('occupancy'),
  )
  return estimateSumCost(counted.length, resolveV1Range(call, 'PT1H'))
}

export async function occupancyHistory(call: V1Call, isThere: (space: SpaceRecord) => boolean) {
  const { model, services } = call
  const { windows } = resolveV1Range(call, 'PT1H')
  const spaces = everIn(model, isThere)
  const hours = await occupancySeries(services.aggregate, model, spaces, windows)
  return { data: hours.map(({ at, ...counts }) => ({ timestamp: model.zone.format(at), ...counts })) }
}

/** All values are null for a site without coordinates. */
export async function weather({ model, services }: V1Call) {
  const { latitude, longitude } = model.site
  if (latitude === null || longitude === null) return UNKNOWN_WEATHER
  const { observedAt, ...current } = await services.weather.current({ latitude, longitude })
  return { ...current, timestamp: model.zone.format(observedAt) }
}

const UNKNOWN_WEATHER = {
  temperature: null,
  humidity: null,
  windSpeed: null,
  precipitation: null,
  condition: null,
  timestamp: null,
  isSynthetic: false,
  isStale: false,
}

export async function carbonIntensity({ model, now, services }: V1Call) {
  const { from, to } = toHalfHourSpan(now)
  const [current] = await services.carbon.intensity(model.site, from, to)
  return {
    from: model.zone.format(from),
    to: model.zone.format(to),
    intensity: current?.gramsPerKwh ?? null,
    unit: 'gCO2/kWh',
    index: current?.index ?? null,
    isForecast: current?.isForecast ?? false,
    isSynthetic: current?.isSynthetic ?? false,
    isStale: current?.isStale ?? false,
  }
}

export async function generationMix({ model, now, services }: V1Call) {
  const { from, fuels, isSynthetic, isStale } = await services.carbon.mix(model.site, now)
  return {
    timestamp: model.zone.format(from),
    generationMix: fuels.map(({ fuel, percent }) => ({ fuel, percentage: percent })),
    isSynthetic,
    isStale,
  }
}

const HALF_HOUR_MS = 1_800_000

const toHalfHourSpan = (now: number): { from: number; to: number } => {
  const from = now - (now % HALF_HOUR_MS)
  return { from, to: from + HALF_HOUR_MS }
}

import { placeOccupancyNow, placeOccupancySeries } from '../../aggregate/place-occupancy.ts'
import type { BuildingRecord, SpaceRecord } from '../../inventory/inventory.ts'
import type { SiteModel } from '../../inventory/site-model.ts'
import { placeOf, providersOf } from './providers.ts'
import { rangeOf } from './range.ts'
import type { V1Call } from './route.ts'

/** What buildings and sites are asked alike. Weather and grid are those of the site: a building has no place of its own. */
export const spacesOfBuilding = (model: SiteModel, { buildingUuid }: BuildingRecord): SpaceRecord[] =>
  [...model.spaces.values()].filter((space) => space.buildingUuid === buildingUuid)

export const spacesOfSite = (model: SiteModel): SpaceRecord[] => [...model.spaces.values()]

export async function occupancy({ model, now, services }: V1Call, spaces: readonly SpaceRecord[]) {
  const latest = await services.readings.latest(model.site.siteUuid)
  const { at, ...counts } = placeOccupancyNow(model, spaces, latest, now)
  return { ...counts, timestamp: at === null ? null : model.zone.format(at) }
}

export async function occupancyHistory(call: V1Call, spaces: readonly SpaceRecord[]) {
  const { model, services } = call
  const { edges } = rangeOf(call, 'PT1H')
  const hours = await placeOccupancySeries(services.aggregate, model, spaces, edges)
  return { data: hours.map(({ at, ...counts }) => ({ timestamp: model.zone.format(at), ...counts })) }
}

export async function weather({ model, services }: V1Call) {
  const {
    observedAt,
    isSynthetic: _,
    ...current
  } = await providersOf(services).weather.current(placeOf(model))
  return { ...current, timestamp: observedAt === null ? null : model.zone.format(observedAt) }
}

const HALF_HOUR_MS = 1_800_000

export async function carbonIntensity({ model, now, services }: V1Call) {
  const from = now - (now % HALF_HOUR_MS)
  const found = await providersOf(services).carbon.intensity(placeOf(model), from, from + HALF_HOUR_MS)
  const current = found.find((one) => one.from <= now && now < one.to) ?? found.at(-1)
  return {
    from: model.zone.format(current?.from ?? from),
    to: model.zone.format(current?.to ?? from + HALF_HOUR_MS),
    intensity: current?.gramsPerKwh ?? null,
    unit: 'gCO2/kWh',
    index: current?.index ?? null,
    isForecast: current?.isForecast ?? false,
  }
}

export async function generationMix({ model, now, services }: V1Call) {
  const mix = await providersOf(services).carbon.mix(placeOf(model), now)
  return {
    timestamp: model.zone.format(now - (now % HALF_HOUR_MS)),
    generationMix: mix.map(({ fuel, percent }) => ({ fuel, percentage: percent })),
  }
}

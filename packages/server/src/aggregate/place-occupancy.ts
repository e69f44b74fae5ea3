import type { SpaceRecord } from '../inventory/inventory.ts'
import type { SiteModel } from '../inventory/site-model.ts'
import type { LatestReading } from '../reading/store.ts'
import { round4, round6 } from '../reading/window-value.ts'
import { occupancyNow, STALE_AFTER_MS } from './overview.ts'
import type { AggregateService } from './service.ts'

export interface Occupancy {
  occupied: number | null
  /** Of the spaces whose people are counted: an uncounted room is neither empty nor full. */
  capacity: number | null
  percentage: number | null
}

export interface OccupancyNow extends Occupancy {
  /** Of the newest count. */
  at: number | null
}

const counted = (model: SiteModel, spaces: readonly SpaceRecord[]): SpaceRecord[] =>
  spaces.filter(({ spaceUuid }) => model.metricsOf(spaceUuid).includes('occupancy'))

function capacityOf(spaces: readonly SpaceRecord[]): number | null {
  const known = spaces.flatMap(({ capacity }) => capacity ?? [])
  return known.length === 0 ? null : known.reduce((sum, capacity) => sum + capacity, 0)
}

const occupancyOf = (occupied: number | null, capacity: number | null): Occupancy => ({
  occupied,
  capacity,
  percentage:
    occupied === null || capacity === null || capacity === 0 ? null : round4((occupied / capacity) * 100),
})

/** People in some spaces now: the sum of what each of them shows. */
export function placeOccupancyNow(
  model: SiteModel,
  spaces: readonly SpaceRecord[],
  latest: ReadonlyMap<number, LatestReading>,
  now: number,
): OccupancyNow {
  const rooms = counted(model, spaces)
  const counts = rooms.flatMap((space) => occupancyNow(model, space, latest, now) ?? [])
  const times = rooms
    .flatMap(({ spaceUuid }) => model.devicesIn(spaceUuid))
    .flatMap(({ series }) => latest.get(series.occupancy ?? -1)?.at ?? [])
    .filter((at) => now - at <= STALE_AFTER_MS)
  const occupied = counts.length === 0 ? null : round6(counts.reduce((sum, count) => sum + count, 0))
  return {
    ...occupancyOf(occupied, capacityOf(rooms)),
    at: times.length === 0 ? null : Math.max(...times),
  }
}

/** The mean number of people in each window. */
export async function placeOccupancySeries(
  aggregate: AggregateService,
  model: SiteModel,
  spaces: readonly SpaceRecord[],
  edges: number[],
): Promise<(Occupancy & { at: number })[]> {
  const capacity = capacityOf(counted(model, spaces))
  const { points } = await aggregate.spaces(model, spaces, 'occupancy', edges)
  return points.map(({ at, value }) => ({ at, ...occupancyOf(value, capacity) }))
}

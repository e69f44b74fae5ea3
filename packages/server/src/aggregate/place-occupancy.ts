import type { SpaceRecord } from '../inventory/inventory.ts'
import type { SiteModel } from '../inventory/site-model.ts'
import type { LatestReading } from '../reading/store.ts'
import { round4, round6 } from '../reading/window-value.ts'
import { occupancyNow, STALE_AFTER_MS } from './overview.ts'
import type { AggregateService } from './service.ts'

export interface Occupancy {
  occupied: number | null
  /** Of the spaces whose people were counted: an uncounted room is neither empty nor full. */
  capacity: number | null
  /** Of the counted spaces whose capacity is known. */
  percentage: number | null
}

export interface OccupancyNow extends Occupancy {
  /** Of the newest count. */
  at: number | null
}

/** A space whose people were counted. */
interface Count {
  people: number
  capacity: number | null
}

function occupancyOf(counts: readonly Count[]): Occupancy {
  if (counts.length === 0) return { occupied: null, capacity: null, percentage: null }
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const sized = counts.filter(({ capacity }) => capacity !== null)
  const capacity = sum(sized.map((count) => count.capacity ?? 0))
  const people = sum(sized.map((count) => count.people))
  return {
    occupied: round6(sum(counts.map((count) => count.people))),
    capacity: sized.length === 0 ? null : capacity,
    percentage: capacity === 0 ? null : round4((people / capacity) * 100),
  }
}

/** People in some spaces now: the sum of what each of them shows. */
export function placeOccupancyNow(
  model: SiteModel,
  spaces: readonly SpaceRecord[],
  latest: ReadonlyMap<number, LatestReading>,
  now: number,
): OccupancyNow {
  const counts = spaces.flatMap((space) => {
    const people = occupancyNow(model, space, latest, now)
    return people === null ? [] : [{ people, capacity: space.capacity }]
  })
  const times = spaces
    .flatMap(({ spaceUuid }) => model.devicesIn(spaceUuid))
    .flatMap(({ series }) => latest.get(series.occupancy ?? -1)?.at ?? [])
    .filter((at) => now - at <= STALE_AFTER_MS)
  return { ...occupancyOf(counts), at: times.length === 0 ? null : Math.max(...times) }
}

/** The mean number of people in each window, in the spaces that counted them then. */
export async function placeOccupancySeries(
  aggregate: AggregateService,
  model: SiteModel,
  spaces: readonly SpaceRecord[],
  edges: readonly number[],
): Promise<(Occupancy & { at: number })[]> {
  const counted = spaces.filter(({ spaceUuid }) => model.everMeasuredIn(spaceUuid).includes('occupancy'))
  const series = await Promise.all(
    counted.map(async (space) => {
      const { points } = await aggregate.spaces(model, [space], 'occupancy', edges)
      return { capacity: space.capacity, points }
    }),
  )
  return edges.slice(0, -1).map((at, window) => {
    const counts = series.flatMap(({ capacity, points }) => {
      const people = points[window]?.value ?? null
      return people === null ? [] : [{ people, capacity }]
    })
    return { at, ...occupancyOf(counts) }
  })
}

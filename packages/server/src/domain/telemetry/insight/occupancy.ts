import type { Windows } from '../../../calendar/interval.ts'
import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import { forEachInChunks } from '../../../kernel/concurrency.ts'
import type { LatestReading } from '../reading/store.ts'
import { round4, round6 } from '../reading/window-value.ts'
import { findLatest, occupancyNow, STALE_AFTER_MS } from './overview.ts'
import { toValue } from '../series/columns.ts'
import type { SeriesService } from '../series/service.ts'

export interface Occupancy {
  occupied: number | null
  /** Sum over the spaces whose people were counted: an uncounted room is neither empty nor full. */
  capacity: number | null
  /** Occupancy of the counted spaces whose capacity is known. */
  percentage: number | null
}

export interface OccupancyNow extends Occupancy {
  /** When the newest count was measured. */
  at: number | null
}

/** Adds up the counts of spaces one space at a time, so that memory holds only the sums for a building or site. */
class OccupancySum {
  #spaces = 0
  #people = 0
  /** Sum over the spaces whose capacity is known. */
  #sized = 0
  #sizedPeople = 0
  #capacity = 0

  add(people: number, capacity: number | null): void {
    this.#spaces += 1
    this.#people += people
    if (capacity === null) return
    this.#sized += 1
    this.#sizedPeople += people
    this.#capacity += capacity
  }

  toOccupancy(): Occupancy {
    if (this.#spaces === 0) return { occupied: null, capacity: null, percentage: null }
    return {
      occupied: round6(this.#people),
      capacity: this.#sized === 0 ? null : this.#capacity,
      percentage: this.#capacity === 0 ? null : round4((this.#sizedPeople / this.#capacity) * 100),
    }
  }
}

/** People in some spaces now: the sum of the spaces' counts. */
export function currentOccupancy(
  model: SiteModel,
  spaces: readonly SpaceRecord[],
  latest: ReadonlyMap<number, LatestReading>,
  now: number,
): OccupancyNow {
  const sum = new OccupancySum()
  for (const space of spaces) {
    const people = occupancyNow(model, space, latest, now)
    if (people !== null) sum.add(people, space.capacity)
  }
  const times = spaces
    .flatMap((space) => findLatest(model, space, 'occupancy', latest))
    .map(({ at }) => at)
    .filter((at) => now - at <= STALE_AFTER_MS)
  return { ...sum.toOccupancy(), at: times.length === 0 ? null : Math.max(...times) }
}

/** The mean number of people in each window, over the spaces with a count in it. */
export async function occupancySeries(
  aggregate: SeriesService,
  model: SiteModel,
  spaces: readonly SpaceRecord[],
  windows: Windows,
): Promise<(Occupancy & { at: number })[]> {
  const counted = spaces.filter(({ spaceUuid }) => model.everMeasuredIn(spaceUuid).includes('occupancy'))
  const sums = Array.from(windows, () => new OccupancySum())
  await forEachInChunks(
    counted,
    aggregate.concurrency,
    (space) => aggregate.spaces(model, [space], 'occupancy', windows),
    ({ columns }, { capacity }) => {
      for (const [window, sum] of sums.entries()) {
        const people = toValue(columns.values[window])
        if (people !== null) sum.add(people, capacity)
      }
    },
  )
  return sums.map((sum, window) => ({ at: windows.from(window), ...sum.toOccupancy() }))
}

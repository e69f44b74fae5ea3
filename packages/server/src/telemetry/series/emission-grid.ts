import { at } from '../../lib/at.ts'
import type { CarbonIntensity } from '../../carbon/provider.ts'
import type { Zone } from '../../lib/zone.ts'
import { localDaysOf } from '../../metric/local-day.ts'
import { windowEdges } from '../../metric/window.ts'

/** Days whose half hours are computed in one step; no more of a series is in memory at a time. */
const CHUNK_DAYS = 31

/** A calendar day whose rolled-up slots are half hours of the chunk. */
export interface GridDay {
  day: number
  /** Index of the half hour that begins the day. */
  first: number
  /** Number of half hours in the day. */
  count: number
}

/** Some weeks of half hours. A window edge or a clock change that is not a multiple of 30 minutes makes some of them shorter. */
export interface GridChunk {
  /** Edges of the consecutive half hours. */
  edges: Float64Array
  /** Carbon intensity of the grid in each half hour, and whether it is synthetic. */
  gramsPerKwh: Float64Array
  isSynthetic: Uint8Array
  days: readonly GridDay[]
}

/**
 * The half hours of a series' windows with the intensity of each. The grid depends on the windows only, so all spaces of a comparison
 * share one. Five years take two megabytes; a chunk is created when it is first needed.
 */
export interface EmissionGrid {
  /** Edges of the series' windows. */
  edges: readonly number[]
  chunks(): Iterable<GridChunk>
}

export function createEmissionGrid(
  zone: Zone,
  edges: readonly number[],
  intensity: CarbonIntensity,
): EmissionGrid {
  const made: GridChunk[] = []
  const to = at(edges, edges.length - 1)
  let next = at(edges, 0)
  return {
    edges,
    *chunks() {
      for (let index = 0; index < made.length || next < to; index += 1) {
        const chunk = made[index] ?? makeChunk(zone, edges, intensity, next)
        made[index] = chunk
        next = Math.max(next, at(chunk.edges, chunk.edges.length - 1))
        yield chunk
      }
    },
  }
}

function makeChunk(
  zone: Zone,
  windows: readonly number[],
  intensity: CarbonIntensity,
  from: number,
): GridChunk {
  const days = localDaysOf(zone)
  const limit = Math.min(days.startOf(days.numberAt(from) + CHUNK_DAYS), at(windows, windows.length - 1))
  const halfHours = windowEdges(zone, 'PT30M', from, limit)
  const inside = windows.filter((edge) => edge > from && edge < limit)
  // If no window edge falls on the limit, the half hour across it is not split.
  const end = Math.min(halfHours.at(-1) ?? limit, windows.find((edge) => edge >= limit) ?? limit)
  const between = halfHours.filter((edge) => edge > from && edge < end)
  const edges = Float64Array.from(new Set([from, ...inside, ...between, end])).toSorted()
  const count = edges.length - 1
  const gramsPerKwh = new Float64Array(count)
  const isSynthetic = new Uint8Array(count)
  for (let index = 0; index < count; index += 1) {
    const start = at(edges, index)
    gramsPerKwh[index] = intensity.gramsAt(start)
    isSynthetic[index] = Number(intensity.isSyntheticAt(start))
  }
  return { edges, gramsPerKwh, isSynthetic, days: wholeDays(zone, edges) }
}

function wholeDays(zone: Zone, edges: Float64Array): GridDay[] {
  const days = localDaysOf(zone)
  const whole: GridDay[] = []
  const [from, to] = [at(edges, 0), at(edges, edges.length - 1)]
  for (let day = days.numberAt(from); days.startOf(day) < to; day += 1) {
    const slots = days.slots(day, 'PT30M')
    const first = edges.indexOf(slots[0] ?? Number.NaN)
    const isWhole =
      first >= 0 &&
      slots.at(-1) === days.startOf(day + 1) &&
      slots.every((edge, index) => edges[first + index] === edge)
    if (isWhole && slots.length > 1) whole.push({ day, first, count: slots.length - 1 })
  }
  return whole
}

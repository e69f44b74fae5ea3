import { Windows } from '../../../calendar/interval.ts'
import type { CarbonIntensity } from '../../external/carbon/provider.ts'
import type { Zone } from '../../../calendar/zone.ts'
import { getLocalDays } from '../../../calendar/local-day.ts'
import { toWindows } from '../../../calendar/window-edges.ts'

/** Days whose half hours are computed in one step, which is all of a series that is in memory at a time. */
const CHUNK_DAYS = 31

/** A calendar day whose rolled-up slots are half hours of the chunk. */
export interface GridDay {
  day: number
  /** Index of the half hour that begins the day. */
  first: number
  /** Number of half hours in the day. */
  count: number
}

/** Some weeks of half hours. Window edges and clock changes that are not multiples of 30 minutes shorten some. */
export interface GridChunk {
  halfHours: Windows
  /** Carbon intensity of the grid in each half hour, and whether it is synthetic. */
  gramsPerKwh: Float64Array
  isSynthetic: Uint8Array
  days: readonly GridDay[]
}

/**
 * The half hours of a series' windows with the intensity of each. The grid depends on the windows only, so all spaces
 * of a comparison share one. Five years take 2 MB; a chunk is created when it is first needed.
 */
export interface EmissionGrid {
  /** The series' windows. */
  windows: Windows
  chunks(): Iterable<GridChunk>
}

export function createEmissionGrid(zone: Zone, windows: Windows, intensity: CarbonIntensity): EmissionGrid {
  const made: GridChunk[] = []
  const { from, to } = windows.whole
  let next = from
  return {
    windows,
    *chunks() {
      for (let index = 0; index < made.length || next < to; index += 1) {
        const chunk = made[index] ?? makeChunk(zone, windows, intensity, next)
        made[index] = chunk
        next = Math.max(next, chunk.halfHours.whole.to)
        yield chunk
      }
    },
  }
}

function makeChunk(zone: Zone, windows: Windows, intensity: CarbonIntensity, from: number): GridChunk {
  const days = getLocalDays(zone)
  const limit = Math.min(days.startOfDay(days.dayAt(from) + CHUNK_DAYS), windows.whole.to)
  const regular = toWindows(zone, 'PT30M', from, limit)
  const starts = Array.from(windows, (window) => window.from)
  const inside = starts.filter((edge) => edge > from && edge < limit)
  // If no window edge falls on the limit, the half hour across it is not split.
  const end = Math.min(regular.whole.to, starts.find((edge) => edge >= limit) ?? windows.whole.to)
  const between = Array.from(regular, (halfHour) => halfHour.from).filter((edge) => edge > from && edge < end)
  const edges = [...new Set([from, ...inside, ...between, end])].toSorted((a, b) => a - b)
  const halfHours = new Windows(edges)
  const count = halfHours.length
  const gramsPerKwh = new Float64Array(count)
  const isSynthetic = new Uint8Array(count)
  for (let index = 0; index < count; index += 1) {
    const start = halfHours.from(index)
    gramsPerKwh[index] = intensity.gramsAt(start)
    isSynthetic[index] = Number(intensity.isSyntheticAt(start))
  }
  return { halfHours, gramsPerKwh, isSynthetic, days: wholeDays(zone, halfHours) }
}

function wholeDays(zone: Zone, halfHours: Windows): GridDay[] {
  const days = getLocalDays(zone)
  const whole: GridDay[] = []
  const { from, to } = halfHours.whole
  for (let day = days.dayAt(from); days.startOfDay(day) < to; day += 1) {
    // A day that the zone skipped has length 0.
    if (days.startOfDay(day) === days.startOfDay(day + 1)) continue
    const slots = new Windows(days.slots(day, 'PT30M'))
    const first = halfHours.indexOf(slots.from(0))
    const isWhole =
      first >= 0 &&
      slots.whole.to === days.startOfDay(day + 1) &&
      first + slots.length <= halfHours.length &&
      Array.from(slots).every(({ to }, index) => halfHours.to(first + index) === to)
    if (isWhole) whole.push({ day, first, count: slots.length })
  }
  return whole
}

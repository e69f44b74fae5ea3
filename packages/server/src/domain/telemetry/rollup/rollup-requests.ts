import type { DayRange } from './roll-up.ts'
import type { SeriesIndex } from './series-index.ts'

export interface RollupRequest extends DayRange {
  seriesId: number
}

/**
 * Normalizes requests to roll up days, identically for every store: closed days only, days of a device also for its
 * spaces, adjacent ranges merged, ordered by series and day.
 */
export function mergeRollupRequests(
  { days, devices }: SeriesIndex,
  rollupWatermark: number,
  marks: readonly RollupRequest[],
): RollupRequest[] {
  if (rollupWatermark === 0) return []
  const last = days.dayAt(rollupWatermark) - 1
  const all = marks.flatMap(({ seriesId, from, to }) =>
    [seriesId, ...(devices.get(seriesId)?.spaceSeries ?? [])].map((affected) => ({
      seriesId: affected,
      from,
      to: Math.min(to, last),
    })),
  )
  return joined(all.filter(({ from, to }) => from <= to))
}

function joined(marks: readonly RollupRequest[]): RollupRequest[] {
  const result: RollupRequest[] = []
  for (const mark of marks.toSorted((a, b) => a.seriesId - b.seriesId || a.from - b.from)) {
    const before = result.at(-1)
    if (before && before.seriesId === mark.seriesId && before.to >= mark.from - 1)
      before.to = Math.max(before.to, mark.to)
    else result.push({ ...mark })
  }
  return result
}

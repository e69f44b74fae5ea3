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
  requests: readonly RollupRequest[],
): RollupRequest[] {
  if (rollupWatermark === 0) return []
  const last = days.dayAt(rollupWatermark) - 1
  const all = requests.flatMap(({ seriesId, from, to }) =>
    [seriesId, ...(devices.get(seriesId)?.spaceSeries ?? [])].map((affected) => ({
      seriesId: affected,
      from,
      to: Math.min(to, last),
    })),
  )
  return mergeAdjacent(all.filter(({ from, to }) => from <= to))
}

function mergeAdjacent(requests: readonly RollupRequest[]): RollupRequest[] {
  const result: RollupRequest[] = []
  for (const request of requests.toSorted((a, b) => a.seriesId - b.seriesId || a.from - b.from)) {
    const before = result.at(-1)
    if (before && before.seriesId === request.seriesId && before.to >= request.from - 1)
      before.to = Math.max(before.to, request.to)
    else result.push({ ...request })
  }
  return result
}

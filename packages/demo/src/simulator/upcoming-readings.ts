import type { TimeSpan } from '@portico/server/calendar/interval'
import type { SeriesHistory } from '../content/index.ts'
import { HALF_HOUR_MS } from '../content/model/grid.ts'

/** What the devices of a site measure in a span. */
export type UpcomingReadings = (span: TimeSpan) => Promise<readonly SeriesHistory[]>

const DAY_MS = 86_400_000
/** Made at once: some megabyte, where the model that they come from takes more than the rest of the server. */
const AHEAD_MS = 7 * DAY_MS
/** Who has been away for an hour finds his readings among those that are kept. */
const BEHIND_MS = DAY_MS

/** Has readings made for some days and answers from them until these are over. */
export function createComingReadings(make: UpcomingReadings): UpcomingReadings {
  let buffered: { span: TimeSpan; series: readonly SeriesHistory[] } | undefined
  return async ({ from, to }) => {
    if (Math.ceil(from / HALF_HOUR_MS) * HALF_HOUR_MS >= to) return []
    // Who comes back after long is told once; nobody else needs what is that old.
    if (buffered && from < buffered.span.from) return make({ from, to })
    if (!buffered || to > buffered.span.to) {
      const span = { from: from - BEHIND_MS, to: to + AHEAD_MS }
      buffered = { span, series: await make(span) }
    }
    return buffered.series.map((series) => cutTo(series, { from, to }))
  }
}

function cutTo({ timestamps, values, ...series }: SeriesHistory, { from, to }: TimeSpan): SeriesHistory {
  const start = findIndex(timestamps, from)
  const end = findIndex(timestamps, to)
  return { ...series, timestamps: timestamps.subarray(start, end), values: values.subarray(start, end) }
}

/** Of the first one at or after an instant. */
function findIndex(timestamps: Float64Array, at: number): number {
  const place = timestamps.findIndex((one) => one >= at)
  return place === -1 ? timestamps.length : place
}

import type { TimeSpan } from '@portico/server/calendar/interval'
import type { SeriesHistory } from '../content/index.ts'
import { HALF_HOUR_MS } from '../content/model/grid.ts'

/** Returns the readings of a site's devices in a span. */
export type UpcomingReadings = (span: TimeSpan) => Promise<readonly SeriesHistory[]>

const DAY_MS = 86_400_000
/**
 * Time span generated in one step: about 1 MB. The model that generates the readings takes more memory than the rest of
 * the server.
 */
const AHEAD_MS = 7 * DAY_MS
/** A device that was away for an hour finds its readings in the buffer. */
const BEHIND_MS = DAY_MS

/** Generates readings some days ahead and returns them from a buffer until it is empty. */
export function createUpcomingReadings(make: UpcomingReadings): UpcomingReadings {
  let buffered: { span: TimeSpan; series: readonly SeriesHistory[] } | undefined
  return async ({ from, to }) => {
    if (Math.ceil(from / HALF_HOUR_MS) * HALF_HOUR_MS >= to) return []
    // A device that was away for a long time is served directly: no other device needs readings that old.
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

/** Index of the first reading at or after an instant. */
function findIndex(timestamps: Float64Array, at: number): number {
  const index = timestamps.findIndex((one) => one >= at)
  return index === -1 ? timestamps.length : index
}

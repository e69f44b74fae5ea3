import type { Summary } from '../../../domain/telemetry/series/point.ts'
import type { Series } from '../../../domain/telemetry/series/columns.ts'
import { isEmpty, type SeriesStats, StatsAccumulator } from '../../../domain/telemetry/series/stats.ts'
import { Digest } from './digest.ts'
import type { PointEncoder } from './point-encoder.ts'
import { ColumnSegment, type Segment } from './segments.ts'

/** A series as JSON. */
export interface EncodedSeries {
  /** The windows, separated by commas. */
  windows(): string
  /** Digest of the windows, to be combined with the rest of the response. */
  digest: Digest
  hasData: boolean
  summary: Summary
  /** Emissions only: see `Series`. */
  isSynthetic?: boolean
}

export function joinSegments(
  segments: readonly Segment[],
  summarize: (total: SeriesStats) => Summary,
): EncodedSeries {
  const stats = new StatsAccumulator()
  const digest = new Digest()
  for (const segment of segments) segment.addTo(stats, digest)
  const total = stats.total()
  return {
    windows: () => joinText(segments),
    digest,
    hasData: !isEmpty(total),
    summary: summarize(total),
  }
}

function joinText(segments: readonly Segment[]): string {
  let windows = ''
  for (const segment of segments) windows += segment.text(windows === '')
  return windows
}

/** Encodes a series that has been computed as a whole. */
export function encodeSeries(
  encoder: PointEncoder,
  { columns, summary, isSynthetic }: Series,
): EncodedSeries {
  const { windows } = columns
  const all = new ColumnSegment(encoder, columns, windows, false, 0, windows.length)
  const encoded = joinSegments([all], () => summary)
  return isSynthetic === undefined ? encoded : { ...encoded, isSynthetic }
}

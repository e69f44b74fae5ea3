import type { Windows } from '../../../calendar/interval.ts'
import type { Interval } from '../../../calendar/window-edges.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import {
  countsAsUse,
  getCellKind,
  getCombination,
  getSources,
  isMeasured,
  type MeasuredMetric,
  type MetricName,
  METRICS,
  UTILITIES,
} from '../../../domain/metric/catalogue.ts'
import { spaceContributorLookup } from '../../../domain/telemetry/series/find-contributors.ts'
import { type PrefetchedContributor, prefetchReads } from '../../../domain/telemetry/series/prefetch.ts'
import type { SeriesReads } from '../../../domain/telemetry/series/service.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { SeriesEncoder } from '../series-encoding/encode-series.ts'
import type { BatchPage, BatchSeries } from './batch-page.ts'
import type { EncodedBatchSeries } from './batch-body.ts'

export interface EncodeServices {
  clock: Clock
  seriesEncoder: SeriesEncoder
  seriesReads: SeriesReads
}

/** Computes the series of a page one after another; other requests are processed in between. */
export async function* encodeEach(
  { clock, seriesEncoder, seriesReads }: EncodeServices,
  model: SiteModel,
  interval: Interval,
  { series, windows }: Pick<BatchPage, 'series' | 'windows'>,
  isPolled: boolean,
  signal?: AbortSignal,
): AsyncGenerator<EncodedBatchSeries, void, undefined> {
  const reads = await prefetchBatch(seriesReads, clock.now(), model, interval, series, windows)
  const encoder = reads && seriesEncoder.over(reads)
  // Scores share the baselines of their peers, which an encoder for this response caches.
  const scoreEncoder = encoder ?? seriesEncoder.over(seriesReads)
  for (const { id, metric, createEncode } of series) {
    await yieldIfDue()
    signal?.throwIfAborted()
    const encode = createEncode(METRICS[metric].derive === 'score' ? scoreEncoder : encoder)
    yield { id, metric, encoded: await encode(windows, isPolled) }
  }
}

/**
 * The reads of all series together; undefined for a store that this process reads itself, which gains nothing: most of
 * what it would read is cached in encoded form.
 */
export async function prefetchBatch(
  reads: SeriesReads,
  now: number,
  model: SiteModel,
  interval: Interval,
  series: readonly Pick<BatchSeries, 'metric' | 'find'>[],
  windows: Windows,
): Promise<SeriesReads | undefined> {
  if (reads.rollups.versions) return undefined
  return prefetchReads(reads, model, listContributors(model, series, windows), interval, windows.whole, now)
}

/** The contributors of all series. */
function listContributors(
  model: SiteModel,
  series: readonly Pick<BatchSeries, 'metric' | 'find'>[],
  { whole }: Windows,
): PrefetchedContributor[] {
  const listed = series.flatMap(({ metric, find }) =>
    listSources(metric).flatMap((source) =>
      find(source, whole, isPooled(source)).map((contributor) => ({
        metric: source,
        contributor,
        needsSlots: METRICS[metric].derive === 'emissions',
      })),
    ),
  )
  // A score compares a space with all others of its type.
  if (!series.some(({ metric }) => METRICS[metric].derive === 'score')) return listed
  const scored = UTILITIES.filter(isMeasured).filter(countsAsUse)
  for (const space of [...model.spaces.values(), ...model.archivedSpaces])
    for (const metric of scored)
      for (const contributor of spaceContributorLookup(model, [space])(metric, whole, true))
        listed.push({ metric, contributor, needsSlots: false })
  return listed
}

/** The metrics that contributors measure for a series; a score is computed from those of all its peers. */
const listSources = (metric: MetricName): readonly MeasuredMetric[] =>
  isMeasured(metric) ? [metric] : getSources(metric)

const isPooled = (metric: MeasuredMetric): boolean =>
  getCellKind(metric) === 'meter' || getCombination(metric) === 'pooled'

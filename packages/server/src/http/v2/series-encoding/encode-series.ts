import { findSingleContributor } from '../../../domain/telemetry/series/contribution.ts'
import {
  type ContributorLookup,
  spaceContributorLookup,
  deviceContributorLookup,
} from '../../../domain/telemetry/series/find-contributors.ts'
import type { Series } from '../../../domain/telemetry/series/columns.ts'
import type { SeriesReads, SeriesService } from '../../../domain/telemetry/series/service.ts'
import { getSpacesInScope } from '../../../domain/telemetry/series/scope.ts'
import { querySpace, type SpaceQuery } from '../../../domain/telemetry/series/space-query.ts'
import type { RollupStore } from '../../../domain/telemetry/rollup/store.ts'
import { covers, type Windows } from '../../../calendar/interval.ts'
import type { SpaceRecord } from '../../../domain/estate/inventory/inventory.ts'
import type { Device, SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { MaybePromise } from '../../../kernel/maybe-promise.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import type { Zone } from '../../../calendar/zone.ts'
import {
  getCombination,
  isMeasured,
  type MeasuredMetric,
  type MetricName,
  METRICS,
} from '../../../domain/metric/catalogue.ts'
import type { Interval } from '../../../calendar/window-edges.ts'
import type { ReadingReader } from '../../../domain/telemetry/reading/store.ts'
import { type EncodedSeries, encodeSeries } from './encoded-series.ts'
import { getPointEncoder } from './point-encoder.ts'
import {
  createSingleSourceEncoders,
  type SingleSourceEncoder,
  type SingleSourceEncoders,
} from './single-source-encoder.ts'

/** Encodes windows. `isPolled`: the client revalidates an earlier response. */
export type EncodeRange = (windows: Windows, isPolled: boolean) => MaybePromise<EncodedSeries>

/**
 * Encodes series as JSON and caches the blocks of single-source series. An `EncodeRange` is valid as long as the
 * site's model, for any number of ranges.
 */
export interface SeriesEncoder {
  /** An encoder with the same cache that uses other reads, such as prefetched ones. */
  over(reads: SeriesReads): SeriesEncoder
  /** The series of a space or its cluster. */
  space(query: Omit<SpaceQuery, 'range'>): EncodeRange
  /** The spaces are summed or pooled. */
  spaces(
    model: SiteModel,
    spaces: readonly SpaceRecord[],
    metric: MetricName,
    interval: Interval,
  ): EncodeRange
  device(model: SiteModel, device: Device, metric: MetricName, interval: Interval): EncodeRange
}

export function createSeriesEncoder(deps: {
  aggregate: SeriesService
  readings: ReadingReader
  rollups: RollupStore
  clock: Clock
  cacheShare?: number
}): SeriesEncoder {
  return createEncoderOver(deps.aggregate, deps.clock, createSingleSourceEncoders(deps), undefined)
}

function createEncoderOver(
  aggregate: SeriesService,
  clock: Clock,
  encoders: SingleSourceEncoders,
  reads: SeriesReads | undefined,
): SeriesEncoder {
  /** Undefined if there are several contributors, or if a window consists of more than one rollup row. */
  const findSingleSource = (
    model: SiteModel,
    metric: MetricName,
    interval: Interval,
    windows: Windows,
    find: ContributorLookup,
  ): SingleSourceEncoder | undefined => {
    if (!isMeasured(metric)) return undefined
    const span = windows.whole
    const [contributor, another] = find(metric, span, canPool(metric))
    if (!contributor || another || !covers(contributor.placement, span)) return undefined
    return encoders.find(model, metric, interval, contributor)
  }

  const encodeSpaces: SeriesEncoder['spaces'] = (model, spaces, metric, interval) => {
    const find = spaceContributorLookup(model, spaces)
    const [space, another] = spaces
    const single =
      space && !another && isMeasured(metric)
        ? findSingleContributor(model, space, metric, canPool(metric))
        : undefined
    const usual = single && isMeasured(metric) ? encoders.find(model, metric, interval, single) : undefined
    return (windows, isPolled) => {
      const encode =
        single && covers(single.placement, windows.whole)
          ? usual
          : findSingleSource(model, metric, interval, windows, find)
      if (encode) return encode(windows, clock.now(), isPolled, reads)
      return encodeInSlices(model.zone, aggregate.spaces(model, spaces, metric, windows))
    }
  }

  return {
    over: (other) => createEncoderOver(aggregate.over(other), clock, encoders, other),
    spaces: encodeSpaces,
    space(query) {
      const { model, metric, interval } = query
      if (METRICS[metric].derive !== 'score')
        return encodeSpaces(model, getSpacesInScope(query), metric, interval)
      return (windows) => encodeInSlices(model.zone, querySpace(aggregate, query, windows))
    },
    device(model, device, metric, interval) {
      const find = deviceContributorLookup(device, metric)
      return (windows, isPolled) => {
        const encode = findSingleSource(model, metric, interval, windows, find)
        if (encode) return encode(windows, clock.now(), isPolled, reads)
        return encodeInSlices(model.zone, aggregate.device(model, device, metric, windows))
      }
    },
  }
}

/** Computing thousands of windows, hashing them and encoding them are separate slices of the event loop. */
async function encodeInSlices(zone: Zone, computed: Promise<Series>): Promise<EncodedSeries> {
  const series = await computed
  await yieldIfDue()
  const encoded = encodeSeries(getPointEncoder(zone), series)
  await yieldIfDue()
  return encoded
}

const canPool = (metric: MeasuredMetric): boolean => getCombination(metric) === 'pooled'

import type { Windows } from '../../../calendar/interval.ts'
import { getBlockLayout } from '../../../domain/telemetry/rollup/rollup-block.ts'
import { type ColumnReader, withColumnReader } from '../../../domain/telemetry/series/column-reader.ts'
import type { SeriesReads } from '../../../domain/telemetry/series/service.ts'
import type { Contributor } from '../../../domain/telemetry/series/contribution.ts'
import type { ObservedChanges, RollupStore } from '../../../domain/telemetry/rollup/store.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import { andThen, type MaybePromise } from '../../../kernel/maybe-promise.ts'
import type { MeasuredMetric } from '../../../domain/metric/catalogue.ts'
import { getLocalDays } from '../../../calendar/local-day.ts'
import type { Interval } from '../../../calendar/window-edges.ts'
import type { ReadingReader } from '../../../domain/telemetry/reading/store.ts'
import { createBlockCache } from './block-cache.ts'
import { openBlocks, rowMatchedBlocks, versionedBlocks } from './cached-blocks.ts'
import {
  type CachedBlocks,
  encodeSingleSource,
  isRecent,
  type SingleSourceSeries,
} from './encode-single-source.ts'
import type { EncodedSeries } from './encoded-series.ts'
import { getPointEncoder } from './point-encoder.ts'

/** Encodes the windows of one contributor. Created once, and valid as long as the contributor is. */
export type SingleSourceEncoder = (
  windows: Windows,
  now: number,
  isPolled: boolean,
  reads?: SeriesReads,
) => MaybePromise<EncodedSeries>

export interface SingleSourceEncoders {
  /** Undefined if a window consists of more than one rollup row. */
  find(
    model: SiteModel,
    metric: MeasuredMetric,
    interval: Interval,
    contributor: Contributor,
  ): SingleSourceEncoder | undefined
}

/**
 * Enough for the last days of 4,000 polled series. Hours of days that are not over have a separate cache: readings
 * must be loaded to encode them again, so reads of older days must not evict them.
 */
const MAX_CLOSED_BYTES = 80 * 1024 * 1024
const MAX_OPEN_BYTES = 24 * 1024 * 1024

export function createSingleSourceEncoders(deps: {
  readings: ReadingReader
  rollups: RollupStore
  /** The memory for cached blocks, as a share of that of the process that serves requests. */
  cacheShare?: number
}): SingleSourceEncoders {
  const { readings, rollups, cacheShare = 1 } = deps
  const encodersByContributor = new WeakMap<Contributor, Map<Interval, SingleSourceEncoder | undefined>>()
  const findBlocks = createBlockLookup(rollups, cacheShare)

  const createEncoder = <C>(
    { site: { siteUuid }, zone, version }: SiteModel,
    reader: ColumnReader<C>,
    interval: Interval,
    contributor: Contributor,
  ): SingleSourceEncoder | undefined => {
    const { seriesId, sources } = contributor
    const blocks = getBlockLayout(zone, interval, reader.cells.slot)
    if (seriesId === undefined || !blocks) return undefined
    const series: SingleSourceSeries<C> = {
      source: { siteUuid, days: getLocalDays(zone), rollups, readings },
      reader,
      blocks,
      contributor,
      seriesId,
      encoder: getPointEncoder(zone),
    }
    const cached = findBlocks(`${siteUuid} ${seriesId} ${interval}`, version, seriesId, sources)
    return (windows, now, isPolled, reads) => {
      const own = reads ? { ...series, source: { ...series.source, ...reads } } : series
      const changes = isRecent(blocks.table, windows.whole.to, now)
        ? own.source.rollups.observeChanges?.(siteUuid, [seriesId, ...sources])
        : undefined
      return andThen(changes, (observed) => encodeSingleSource(own, windows, now, cached(observed), isPolled))
    }
  }

  return {
    find(model, metric, interval, contributor) {
      let encoders = encodersByContributor.get(contributor)
      if (!encoders) encodersByContributor.set(contributor, (encoders = new Map()))
      if (!encoders.has(interval))
        encoders.set(
          interval,
          withColumnReader(metric, (reader) => createEncoder(model, reader, interval, contributor)),
        )
      return encoders.get(interval)
    },
  }
}

type BlockLookup = (
  key: string,
  inventoryVersion: number,
  seriesId: number,
  sources: readonly number[],
) => (changes: ObservedChanges | undefined) => CachedBlocks

/** How cached blocks are found and validated depends on the store. */
function createBlockLookup({ versions }: RollupStore, cacheShare: number): BlockLookup {
  const closed = createBlockCache(cacheShare * MAX_CLOSED_BYTES)
  const open = createBlockCache(cacheShare * MAX_OPEN_BYTES)
  if (!versions)
    return (key, inventoryVersion, seriesId, sources) => (changes) => {
      const version = String(inventoryVersion)
      if (!changes)
        return { closed: rowMatchedBlocks(closed.series(key, version), undefined), open: undefined }
      const [own, ...others] = [seriesId, ...sources].map((id) => changes.versions.get(id))
      return {
        closed: rowMatchedBlocks(closed.series(key, version), own),
        open: openBlocks(open.series(key, `${version} ${own} ${others.join(' ')}`), sources, changes),
      }
    }
  return (key, inventoryVersion, seriesId, sources) =>
    cacheByDataVersion(versions.dataVersion, () => {
      // Read before the rows: a block of newer rows is then stored under an older version and never found.
      const version = `${inventoryVersion} ${versions.version(seriesId)}`
      const sourceVersions = sources.map((id) => `${id}.${versions.version(id)}`).join(' ')
      return {
        closed: versionedBlocks(closed.series(key, version)),
        open: openBlocks(open.series(key, `${version} ${sourceVersions}`), sources, {
          sequence: versions.lastSequence(),
          lastChangeBefore: versions.lastChangeBefore,
        }),
      }
    })
}

/** Looks versions up again only after data was stored. */
function cacheByDataVersion(dataVersion: () => number, lookUp: () => CachedBlocks): () => CachedBlocks {
  let last: { dataVersion: number; blocks: CachedBlocks } | undefined
  return () => {
    const current = dataVersion()
    const isValid =
      last?.dataVersion === current && !last.blocks.closed.isEvicted() && !last.blocks.open?.isEvicted()
    if (!last || !isValid) last = { dataVersion: current, blocks: lookUp() }
    return last.blocks
  }
}

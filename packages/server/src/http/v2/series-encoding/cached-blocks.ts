import type { Windows } from '../../../calendar/interval.ts'
import type { ReadingChanges } from '../../../domain/telemetry/rollup/store.ts'
import { isSameBytes } from '../../../domain/telemetry/reading/bytes.ts'
import type { SeriesBlocks, WholeSeriesBlocks } from './block-cache.ts'
import { type EncodedBlock, hasWindow } from './encoded-block.ts'
import type { EncodedSeries } from './encoded-series.ts'

/** Cached blocks of rollup rows. How their validity is checked depends on the store. */
export interface ClosedBlocks {
  /** A block that is known to be valid before its row is read. */
  get(number: number): EncodedBlock | undefined
  /** A block that was encoded from a row that has been read. */
  match(number: number, row: Uint8Array): EncodedBlock | undefined
  put(number: number, row: Uint8Array | undefined, block: EncodedBlock): void
  getWhole(windows: Windows, open: SeriesBlocks | undefined): EncodedSeries | undefined
  putWhole(windows: Windows, open: SeriesBlocks | undefined, encoded: EncodedSeries): void
  isEvicted(): boolean
}

/** For a store with versions: blocks in the cache are valid, and rows are read only for the others. */
export const versionedBlocks = (blocks: WholeSeriesBlocks): ClosedBlocks => ({
  get: (number) => blocks.get(number),
  match: () => undefined,
  put: (number, _row, block) => blocks.put(number, block),
  getWhole: (windows, open) => blocks.getWhole(windows, open),
  putWhole: (windows, open, encoded) => blocks.putWhole(windows, open, encoded),
  isEvicted: () => blocks.isEvicted(),
})

/**
 * For a store in which versions are not always known: a block is valid while the bytes of its row are the same. A row is
 * read unless the version of the series is known and is the one for which the row was read before.
 */
export const rowMatchedBlocks = (blocks: SeriesBlocks, version: number | undefined): ClosedBlocks => ({
  get(number) {
    const block = blocks.get(number)
    return version !== undefined && block?.row?.version === version ? block : undefined
  },
  match(number, bytes) {
    const block = blocks.get(number)
    if (!block?.row?.bytes || !isSameBytes(block.row.bytes, bytes)) return undefined
    block.row.version = version ?? block.row.version
    return block
  },
  put(number, bytes, block) {
    // Without a version, the absence of a row could not be recognised.
    if (bytes || version !== undefined) blocks.put(number, { ...block, row: { bytes, version } })
  },
  getWhole: () => undefined,
  putWhole: () => {},
  isEvicted: () => blocks.isEvicted(),
})

/**
 * Blocks of windows that are over but not rolled up yet. Readings arrive all the time, but most are newer than these
 * windows: a block stays valid until an import that may have changed values before its end.
 */
export const openBlocks = (
  blocks: SeriesBlocks,
  sources: readonly number[],
  { sequence, lastChangeBefore }: ReadingChanges,
): SeriesBlocks => ({
  get(number) {
    const block = blocks.get(number)
    const validity = block?.validity
    return validity && lastChangeBefore(sources, validity.end) <= validity.sequence ? block : undefined
  },
  put(number, block) {
    blocks.put(number, { ...block, validity: { sequence, end: endOfWindows(block) } })
  },
  isEvicted: () => blocks.isEvicted(),
})

function endOfWindows(block: EncodedBlock): number {
  const { windows } = block
  for (let index = windows.length - 1; index >= 0; index -= 1)
    if (hasWindow(block, index)) return windows.to(index)
  return Number.NEGATIVE_INFINITY
}

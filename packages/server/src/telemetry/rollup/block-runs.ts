import type { Windows } from '../../calendar/interval.ts'
import type { BlockLayout } from './block.ts'

/** Windows of a range that follow each other in one block. */
export interface BlockSlice {
  /** Of the block, which is the number of its row. */
  number: number
  /** The place of the first among the range's windows. */
  first: number
  /** Their places in the block; undefined where the block has no such windows. */
  from: number | undefined
  count: number
}

/** The windows of a range, block by block. */
export function splitByBlock(blocks: BlockLayout, windows: Windows): BlockSlice[] {
  const runs: BlockSlice[] = []
  for (let first = 0; first < windows.length; ) {
    const number = blocks.numberAt(windows.from(first))
    const own = blocks.block(number)?.windows
    const from = findOffset(own, windows, first)
    const count = own && from !== undefined ? countSame(own, from, windows, first) : 1
    const last = runs.at(-1)
    if (from === undefined && last?.number === number && last.from === undefined) last.count += 1
    else runs.push({ number, first, from, count })
    first += count
  }
  return runs
}

/** Where in a block a window is. */
function findOffset(own: Windows | undefined, windows: Windows, index: number): number | undefined {
  if (!own) return undefined
  const place = own.indexOf(windows.from(index))
  return place >= 0 && own.to(place) === windows.to(index) ? place : undefined
}

/** How many windows from there on are the block's. */
function countSame(own: Windows, from: number, windows: Windows, first: number): number {
  const most = Math.min(own.length - from, windows.length - first)
  let count = 1
  while (count < most && own.to(from + count) === windows.to(first + count)) count += 1
  return count
}

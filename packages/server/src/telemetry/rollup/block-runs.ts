import { at } from '../../lib/at.ts'
import type { BlockKind } from './block.ts'

/** Windows of a range that follow each other in one block. */
export interface Run {
  /** Of the block, which is the number of its row. */
  number: number
  /** The place of the first among the range's edges. */
  first: number
  /** Their places in the block; undefined where the block has no such windows. */
  from: number | undefined
  count: number
}

/** The windows of a range, block by block. */
export function runsOf(blocks: BlockKind, edges: readonly number[]): Run[] {
  const runs: Run[] = []
  for (let first = 0; first < edges.length - 1; ) {
    const number = blocks.numberAt(at(edges, first))
    const own = blocks.block(number)?.edges
    const from = placeOf(own, edges, first)
    const count = own && from !== undefined ? countSame(own, from, edges, first) : 1
    const last = runs.at(-1)
    if (from === undefined && last?.number === number && last.from === undefined) last.count += 1
    else runs.push({ number, first, from, count })
    first += count
  }
  return runs
}

/** Where in a block a window is. */
function placeOf(
  own: readonly number[] | undefined,
  edges: readonly number[],
  index: number,
): number | undefined {
  const place = own?.indexOf(at(edges, index)) ?? -1
  return place >= 0 && own?.[place + 1] === edges[index + 1] ? place : undefined
}

/** How many windows from there on are the block's. */
function countSame(own: readonly number[], from: number, edges: readonly number[], first: number): number {
  const most = Math.min(own.length - from, edges.length - first) - 1
  let count = 1
  while (count < most && own[from + count + 1] === edges[first + count + 1]) count += 1
  return count
}

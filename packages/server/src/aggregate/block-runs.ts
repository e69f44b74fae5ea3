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

/** Ranges are remembered, so the same are asked for again and again. */
const known = new WeakMap<readonly number[], WeakMap<BlockKind, readonly Run[]>>()

/** The windows of a range, block by block. */
export function runsOf(blocks: BlockKind, edges: readonly number[]): readonly Run[] {
  let ofRange = known.get(edges)
  if (!ofRange) known.set(edges, (ofRange = new WeakMap()))
  let runs = ofRange.get(blocks)
  if (!runs) ofRange.set(blocks, (runs = makeRuns(blocks, edges)))
  return runs
}

function makeRuns(blocks: BlockKind, edges: readonly number[]): Run[] {
  const runs: Run[] = []
  for (let index = 0; index < edges.length - 1; index += 1) {
    const number = blocks.numberAt(edges[index] ?? 0)
    const from = placeOf(blocks.block(number)?.edges, edges, index)
    const last = runs.at(-1)
    const isNext =
      last?.number === number && from === (last.from === undefined ? undefined : last.from + last.count)
    if (last && isNext) last.count += 1
    else runs.push({ number, first: index, from, count: 1 })
  }
  return runs
}

/** Where in a block a window is. */
function placeOf(
  own: readonly number[] | undefined,
  edges: readonly number[],
  index: number,
): number | undefined {
  const place = own?.indexOf(edges[index] ?? 0) ?? -1
  return place >= 0 && own?.[place + 1] === edges[index + 1] ? place : undefined
}

import { Windows } from '../../../calendar/interval.ts'
import type { Zone } from '../../../calendar/zone.ts'
import { firstDayOfMonth, getLocalDays, type SlotInterval, toMonth } from '../../../calendar/local-day.ts'
import { type Interval, toWindows } from '../../../calendar/window-edges.ts'

/** The windows that are made of one rollup row: those of a day, from its slots, or of a month, from its days. */
export interface RollupBlock {
  windows: Windows
  /** The place in the row at which each window begins, and where the last one ends. */
  cellOffsets: readonly number[]
}

/** Windows that are made of one row each; of the others a row holds too little or too much. */
export interface BlockLayout {
  /** Which rows they are in. */
  table: 'days' | 'months'
  /** The row of the window that begins at an instant. */
  numberAt(at: number): number
  /** Undefined where clock changes put windows across the slots or the edges of a day. */
  block(number: number): RollupBlock | undefined
}

const MAX_KNOWN_BLOCKS = 5_000

const known = new WeakMap<Zone, Map<string, BlockLayout | undefined>>()

/** Undefined for an interval that no row holds the windows of. */
export function getBlockLayout(zone: Zone, interval: Interval, slot: SlotInterval): BlockLayout | undefined {
  let kinds = known.get(zone)
  if (!kinds) known.set(zone, (kinds = new Map()))
  const key = `${interval} ${slot}`
  if (!kinds.has(key)) kinds.set(key, createBlockKind(zone, interval, slot))
  return kinds.get(key)
}

function createBlockKind(zone: Zone, interval: Interval, slot: SlotInterval): BlockLayout | undefined {
  const days = getLocalDays(zone)
  if (interval === 'P1D')
    return {
      table: 'months',
      numberAt: (at) => toMonth(days.dayAt(at)).month,
      block: remembered((month) => monthBlock(zone, month)),
    }
  if (interval !== slot && interval !== 'PT1H') return undefined
  return {
    table: 'days',
    numberAt: (at) => days.dayAt(at),
    block: remembered((day) => dayBlock(zone, interval, slot, day)),
  }
}

function remembered(
  make: (number: number) => RollupBlock | undefined,
): (number: number) => RollupBlock | undefined {
  const blocks = new Map<number, RollupBlock | undefined>()
  return (number) => {
    if (!blocks.has(number)) {
      if (blocks.size >= MAX_KNOWN_BLOCKS) blocks.clear()
      blocks.set(number, make(number))
    }
    return blocks.get(number)
  }
}

function dayBlock(zone: Zone, interval: Interval, slot: SlotInterval, day: number): RollupBlock | undefined {
  const days = getLocalDays(zone)
  const slots = days.slots(day, slot)
  const windows = toWindows(zone, interval, days.startOfDay(day), days.startOfDay(day + 1))
  const starts = Array.from(windows, ({ from }) => from)
  const cellOffsets = [...starts, windows.whole.to].map((edge) => slots.indexOf(edge))
  return cellOffsets.includes(-1) || cellOffsets[0] !== 0 ? undefined : { windows, cellOffsets }
}

function monthBlock(zone: Zone, month: number): RollupBlock | undefined {
  const days = getLocalDays(zone)
  const [first, next] = [firstDayOfMonth(month), firstDayOfMonth(month + 1)]
  const edges = Array.from({ length: next - first + 1 }, (_, index) => days.startOfDay(first + index))
  // A day that the zone skipped has no length, and is no window.
  if (edges.some((edge, index) => edge === edges[index + 1])) return undefined
  return { windows: new Windows(edges), cellOffsets: edges.map((_, index) => index) }
}

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

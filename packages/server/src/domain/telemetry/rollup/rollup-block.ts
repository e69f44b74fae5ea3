import { Windows } from '../../../calendar/interval.ts'
import type { Zone } from '../../../calendar/zone.ts'
import { firstDayOfMonth, getLocalDays, type SlotInterval, toMonth } from '../../../calendar/local-day.ts'
import { type Interval, toWindows } from '../../../calendar/window-edges.ts'

/** The windows computed from one rollup row: those of a day, from its slots, or of a month, from its days. */
export interface RollupBlock {
  windows: Windows
  /** The index in the row at which each window begins, and the end of the last window. */
  cellOffsets: readonly number[]
}

/** How the windows of an interval are stored in rollup rows. */
export interface BlockLayout {
  /** The table of the rows. */
  table: 'days' | 'months'
  /** The number of the row with the window that begins at an instant. */
  numberAt(at: number): number
  /** Undefined if, due to clock changes, windows do not align with the slots or the edges of the day. */
  block(number: number): RollupBlock | undefined
}

const MAX_CACHED_BLOCKS = 5_000

const layouts = new WeakMap<Zone, Map<string, BlockLayout | undefined>>()

/** Undefined for an interval whose windows are not in single rows. */
export function getBlockLayout(zone: Zone, interval: Interval, slot: SlotInterval): BlockLayout | undefined {
  let kinds = layouts.get(zone)
  if (!kinds) layouts.set(zone, (kinds = new Map()))
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
      block: cachedBlocks((month) => monthBlock(zone, month)),
    }
  if (interval !== slot && interval !== 'PT1H') return undefined
  return {
    table: 'days',
    numberAt: (at) => days.dayAt(at),
    block: cachedBlocks((day) => dayBlock(zone, interval, slot, day)),
  }
}

function cachedBlocks(
  make: (number: number) => RollupBlock | undefined,
): (number: number) => RollupBlock | undefined {
  const blocks = new Map<number, RollupBlock | undefined>()
  return (number) => {
    if (!blocks.has(number)) {
      if (blocks.size >= MAX_CACHED_BLOCKS) blocks.clear()
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
  // A day that the zone skipped has length 0 and is not a window.
  if (edges.some((edge, index) => edge === edges[index + 1])) return undefined
  return { windows: new Windows(edges), cellOffsets: edges.map((_, index) => index) }
}

/** Consecutive windows of a range in one block. */
export interface BlockSlice {
  /** Number of the block and of its row. */
  number: number
  /** Index of the first window in the range. */
  first: number
  /** Index of the first window in the block; undefined if the block does not have the windows. */
  from: number | undefined
  count: number
}

/** Splits the windows of a range by block. */
export function splitByBlock(blocks: BlockLayout, windows: Windows): BlockSlice[] {
  const slices: BlockSlice[] = []
  for (let first = 0; first < windows.length; ) {
    const number = blocks.numberAt(windows.from(first))
    const own = blocks.block(number)?.windows
    const from = findOffset(own, windows, first)
    const count = own && from !== undefined ? countSame(own, from, windows, first) : 1
    const last = slices.at(-1)
    if (from === undefined && last?.number === number && last.from === undefined) last.count += 1
    else slices.push({ number, first, from, count })
    first += count
  }
  return slices
}

/** The index of a window in a block. */
function findOffset(own: Windows | undefined, windows: Windows, index: number): number | undefined {
  if (!own) return undefined
  const offset = own.indexOf(windows.from(index))
  return offset >= 0 && own.to(offset) === windows.to(index) ? offset : undefined
}

/** The number of windows from there on that are in the block too. */
function countSame(own: Windows, from: number, windows: Windows, first: number): number {
  const most = Math.min(own.length - from, windows.length - first)
  let count = 1
  while (count < most && own.to(from + count) === windows.to(first + count)) count += 1
  return count
}

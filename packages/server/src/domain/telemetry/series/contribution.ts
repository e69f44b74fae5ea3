import { at } from '../../../kernel/at.ts'
import type { LocalDays, SlotInterval } from '../../../calendar/local-day.ts'
import { covers, type OpenEndedSpan, overlaps, type TimeSpan } from '../../../calendar/interval.ts'
import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { PlacedSeries, SiteModel } from '../../estate/inventory/site-model.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import { type CellKind, getReachMs } from '../rollup/cell-kind.ts'
import { type CellSource, seriesCells, spaceCells } from '../rollup/cells.ts'
import { sortBySeriesId } from '../rollup/stable-membership.ts'
import type { RollupStore } from '../rollup/store.ts'
import { type RollupUnit, splitIntoUnits } from '../rollup/rollup-unit.ts'

/** A source of a series: the placement of a device, or a whole space while its devices do not change. */
export interface Contributor {
  /** Several placements of one device are one sensor. */
  seriesId: number | undefined
  /** Number of devices. */
  members: number
  /** The series of its readings. */
  sources: readonly number[]
  /** How far before and after a window lie the readings on which it depends, apart from its two neighbours. */
  reachMs: number
  placement: OpenEndedSpan
  read<C>(source: CellSource, kind: CellKind<C>, units: readonly RollupUnit[]): Promise<C[]>
}

/** One object per placement, so that other caches can be keyed by it. */
const byPlacement = new WeakMap<PlacedSeries, Contributor>()

export function deviceContributor(placed: PlacedSeries): Contributor {
  let contributor = byPlacement.get(placed)
  if (!contributor) {
    contributor = {
      seriesId: placed.seriesId,
      members: 1,
      sources: [placed.seriesId],
      reachMs: getReachMs(placed.spec),
      placement: placed.placement,
      read: (source, kind, units) => seriesCells(source, kind, placed, units),
    }
    byPlacement.set(placed, contributor)
  }
  return contributor
}

/** The contributor for a whole space. */
function spaceContributor(
  model: Pick<SiteModel, 'spaceSeries'>,
  spaceUuid: string,
  metric: MeasuredMetric,
  placement: Contributor['placement'],
  members: readonly PlacedSeries[],
): Contributor {
  const seriesId = model.spaceSeries(spaceUuid, metric)
  return {
    seriesId,
    members: members.length,
    sources: members.map((member) => member.seriesId),
    reachMs: Math.max(0, ...members.map(({ spec }) => getReachMs(spec))),
    placement,
    read: (source, kind, units) => spaceCells(source, kind, seriesId, members, units),
  }
}

/** The contributors of some spaces over a span. */
export function spaceContributors(
  model: SiteModel,
  spaces: readonly SpaceRecord[],
  metric: MeasuredMetric,
  span: TimeSpan,
  canPool: boolean,
): Contributor[] {
  const contributors: Contributor[] = []
  const uuids = spaces.map(({ spaceUuid }) => spaceUuid)
  for (const [index, counted] of model.placedInSum(uuids, metric).entries()) {
    const spaceUuid = at(uuids, index)
    const placed = counted.filter(({ placement }) => overlaps(placement, span))
    // The rollups of a space include sub-meters that do not count in a sum with the space of their meter.
    const isWhole = counted === model.placedSeries(spaceUuid, metric)
    const isStable = placed.length > 1 && placed.every(({ placement }) => covers(placement, span))
    if (canPool && isWhole && isStable)
      contributors.push(spaceContributor(model, spaceUuid, metric, span, sortBySeriesId(placed)))
    else contributors.push(...placed.map(deviceContributor))
  }
  return contributors
}

/**
 * The space's only contributor while all devices that ever measured there were installed. Nearly every query of a space
 * resolves to it.
 */
export function findSingleContributor(
  model: Pick<SiteModel, 'placedSeries' | 'spaceSeries'>,
  { spaceUuid }: Pick<SpaceRecord, 'spaceUuid'>,
  metric: MeasuredMetric,
  canPool: boolean,
): Contributor | undefined {
  const placed = model.placedSeries(spaceUuid, metric)
  const [only] = placed
  if (!only) return undefined
  if (placed.length === 1) return deviceContributor(only)
  if (!canPool) return undefined
  const from = Math.max(...placed.map(({ placement }) => placement.from))
  const to = Math.min(...placed.map(({ placement }) => placement.to ?? Number.POSITIVE_INFINITY))
  if (from >= to) return undefined
  const placement = { from, to: to === Number.POSITIVE_INFINITY ? null : to }
  return spaceContributor(model, spaceUuid, metric, placement, sortBySeriesId(placed))
}

/** Consecutive windows, split into the units to be read for them. */
interface WindowChunk {
  /** Index of the first window in the list of all windows. */
  first: number
  /** The part of each window in which the contributor was present; undefined if it was not. */
  spans: readonly (TimeSpan | undefined)[]
  units: readonly RollupUnit[]
  /** For each window, the end index of its units; they begin where those of the previous window end. */
  ends: readonly number[]
}

/** The cells of a contributor in the windows of a chunk. */
export interface Contribution<C> extends WindowChunk {
  contributor: Contributor
  /** One cell for each unit. */
  cells: readonly C[]
}

/** Contributors and spaces that are read concurrently where the store combines their reads into one statement. */
const READ_CONCURRENTLY = 10

/** A store that this process reads itself gains nothing from concurrent reads; one at a time takes the least memory. */
export const readConcurrency = ({ versions }: Pick<RollupStore, 'versions'>): number =>
  versions ? 1 : READ_CONCURRENTLY

/**
 * The contributions, one chunk of windows after another, with the contributors of a chunk in order. Only the cells of
 * one chunk, of the contributors that are read concurrently, are in memory: callers add them up before the next.
 */
export async function* readContributions<C>(
  source: CellSource,
  kind: CellKind<C>,
  contributors: readonly Contributor[],
  windows: readonly TimeSpan[],
): AsyncGenerator<Contribution<C>> {
  const size = readConcurrency(source.rollups)
  for (const chunk of splitIntoChunks(source, kind, windows)) {
    await yieldIfDue()
    for (let start = 0; start < contributors.length; start += size) {
      if (start > 0) await yieldIfDue()
      const group = contributors.slice(start, start + size)
      yield* await Promise.all(group.map((contributor) => readChunk(source, kind, contributor, chunk)))
    }
  }
}

async function readChunk<C>(
  source: CellSource,
  kind: CellKind<C>,
  contributor: Contributor,
  whole: WindowChunk,
): Promise<Contribution<C>> {
  const chunk = cutToPlacement(source, kind, whole, contributor.placement)
  return { ...chunk, contributor, cells: await readUnits(source, kind, contributor, chunk.units) }
}

/**
 * Longest span that is read in one step. For quarter hours, and for days that are not rolled up yet, all readings of a
 * step are in memory at the same time, and the step blocks the event loop.
 */
const STEP_MS = 366 * 86_400_000
const STEP_UNITS = 744

interface SplitWindows {
  days: LocalDays
  windows: readonly TimeSpan[]
  chunks: readonly WindowChunk[]
}

/** The windows that were split last: the series of a batch have the same windows. */
const lastSplit = new Map<SlotInterval, SplitWindows>()

function* splitIntoChunks<C>(
  { days }: CellSource,
  { slot }: CellKind<C>,
  windows: readonly TimeSpan[],
): Generator<WindowChunk> {
  const last = lastSplit.get(slot)
  if (last?.windows === windows && last.days === days) {
    yield* last.chunks
    return
  }
  const chunks: WindowChunk[] = []
  for (const chunk of createChunks(days, slot, windows)) {
    chunks.push(chunk)
    yield chunk
  }
  lastSplit.set(slot, { days, windows, chunks })
}

/** A step has at least one window, however long it is. */
function* createChunks(
  days: LocalDays,
  slot: SlotInterval,
  windows: readonly TimeSpan[],
): Generator<WindowChunk> {
  let first = 0
  let [spans, units, ends]: [TimeSpan[], RollupUnit[], number[]] = [[], [], []]
  for (const [index, window] of windows.entries()) {
    const own = splitIntoUnits(days, slot, window)
    const from = spans[0]?.from ?? window.from
    if (spans.length > 0 && (units.length + own.length > STEP_UNITS || window.to - from > STEP_MS)) {
      yield { first, spans, units, ends }
      first = index
      ;[spans, units, ends] = [[], [], []]
    }
    spans.push(window)
    for (const unit of own) units.push(unit)
    ends.push(units.length)
  }
  if (spans.length > 0) yield { first, spans, units, ends }
}

/** Restricts a chunk to a contributor's time; returns the chunk itself if the contributor was always present. */
function cutToPlacement<C>(
  { days }: CellSource,
  { slot }: CellKind<C>,
  chunk: WindowChunk,
  placement: Contributor['placement'],
): WindowChunk {
  if (chunk.spans.every((window) => window && covers(placement, window))) return chunk
  const spans = chunk.spans.map((window) => window && cutSpan(window, placement))
  const units: RollupUnit[] = []
  const ends: number[] = []
  for (const span of spans) {
    if (span) for (const unit of splitIntoUnits(days, slot, span)) units.push(unit)
    ends.push(units.length)
  }
  return { first: chunk.first, spans, units, ends }
}

function cutSpan(window: TimeSpan, { from, to }: Contributor['placement']): TimeSpan | undefined {
  const span = { from: Math.max(window.from, from), to: Math.min(window.to, to ?? window.to) }
  return span.from < span.to ? span : undefined
}

async function readUnits<C>(
  source: CellSource,
  kind: CellKind<C>,
  contributor: Contributor,
  units: readonly RollupUnit[],
): Promise<readonly C[]> {
  const [first, last] = [units[0], units.at(-1)]
  const isOneStep = !first || !last || (last.to - first.from <= STEP_MS && units.length <= STEP_UNITS)
  if (isOneStep) return contributor.read(source, kind, units)
  const cells: C[] = []
  for (let start = 0; start < units.length; ) {
    const until = at(units, start).from + STEP_MS
    let end = start + 1
    while (end < units.length && end - start < STEP_UNITS && at(units, end).to <= until) end += 1
    for (const cell of await contributor.read(source, kind, units.slice(start, end))) cells.push(cell)
    await yieldIfDue()
    start = end
  }
  return cells
}

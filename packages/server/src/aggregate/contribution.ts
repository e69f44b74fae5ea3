import type { SpaceRecord } from '../inventory/inventory.ts'
import type { PlacedSeries, SiteModel } from '../inventory/site-model.ts'
import { yieldIfDue } from '../lib/time-slice.ts'
import type { MeasuredMetric } from '../metric/catalogue.ts'
import type { Span } from '../reading/window-value.ts'
import type { CellKind } from './cell-kind.ts'
import { type CellSource, seriesCells, spaceCells } from './cells.ts'
import type { RollupStore } from './store.ts'
import { type Unit, unitsOf } from './unit.ts'

/** What adds to a figure: a device's stay somewhere, or a space as a whole while its devices stay the same. */
export interface Contributor {
  /** Several stays of one device are one sensor. */
  seriesId: number | undefined
  /** How many devices it stands for. */
  members: number
  /** The series that readings of it come from. */
  sources: readonly number[]
  stay: { from: number; to: number | null }
  read<C>(source: CellSource, kind: CellKind<C>, units: readonly Unit[]): Promise<C[]>
}

/** One for each stay, so that what is found out about it can be kept with it. */
const ofStays = new WeakMap<PlacedSeries, Contributor>()

export function deviceContributor(placed: PlacedSeries): Contributor {
  let contributor = ofStays.get(placed)
  if (!contributor) {
    contributor = {
      seriesId: placed.seriesId,
      members: 1,
      sources: [placed.seriesId],
      stay: placed.placement,
      read: (source, kind, units) => seriesCells(source, kind, placed, units),
    }
    ofStays.set(placed, contributor)
  }
  return contributor
}

/** A space as a whole. */
function spaceContributor(
  model: Pick<SiteModel, 'spaceSeries'>,
  spaceUuid: string,
  metric: MeasuredMetric,
  stay: Contributor['stay'],
  members: readonly PlacedSeries[],
): Contributor {
  const seriesId = model.spaceSeries(spaceUuid, metric)
  return {
    seriesId,
    members: members.length,
    sources: members.map((member) => member.seriesId),
    stay,
    read: (source, kind, units) => spaceCells(source, kind, seriesId, members, units),
  }
}

/** The contributors of some spaces over a stretch of time. */
export function spaceContributors(
  model: SiteModel,
  spaces: readonly SpaceRecord[],
  metric: MeasuredMetric,
  span: Span,
  canPool: boolean,
): Contributor[] {
  const contributors: Contributor[] = []
  for (const { spaceUuid } of spaces) {
    const placed = model.placedSeries(spaceUuid, metric).filter(({ placement }) => touches(placement, span))
    if (placed.length > 1 && canPool && placed.every(({ placement }) => covers(placement, span)))
      contributors.push(spaceContributor(model, spaceUuid, metric, span, inOrder(placed)))
    else contributors.push(...placed.map(deviceContributor))
  }
  return contributors
}

/**
 * Who speaks for a space alone, for as long as all that ever measured there did: nearly always the answer to what
 * `spaceContributors` is asked, whatever the stretch of time.
 */
export function soleContributor(
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
  const stay = { from, to: to === Number.POSITIVE_INFINITY ? null : to }
  return spaceContributor(model, spaceUuid, metric, stay, inOrder(placed))
}

/** The members of a space are numbered in this order. */
export const inOrder = (placed: readonly PlacedSeries[]): PlacedSeries[] =>
  placed.toSorted((a, b) => a.seriesId - b.seriesId)

export const touches = (placement: PlacedSeries['placement'], { from, to }: Span): boolean =>
  placement.from < to && (placement.to ?? Number.POSITIVE_INFINITY) > from

export const covers = (stay: Contributor['stay'], { from, to }: Span): boolean =>
  stay.from <= from && (stay.to ?? Number.POSITIVE_INFINITY) >= to

/** What a contributor says of a window: the stretch of it that it was there, in cells. */
export interface Said<C> {
  span: Span
  units: readonly Unit[]
  cells: readonly C[]
}

/** Contributors and spaces that are read concurrently where the store combines their reads into one statement. */
const READ_CONCURRENTLY = 10

/** A store that this process reads itself gains nothing from concurrent reads; one at a time takes the least memory. */
export const readConcurrency = ({ atOnce }: Pick<RollupStore, 'atOnce'>): number =>
  atOnce ? 1 : READ_CONCURRENTLY

/** What each contributor says of each window, in their order. */
export async function* contributionsOf<C>(
  source: CellSource,
  kind: CellKind<C>,
  contributors: readonly Contributor[],
  windows: readonly Span[],
): AsyncGenerator<{ contributor: Contributor; said: (Said<C> | undefined)[] }> {
  const size = readConcurrency(source.rollups)
  for (let start = 0; start < contributors.length; start += size) {
    if (start > 0) await yieldIfDue()
    const group = contributors.slice(start, start + size)
    yield* await Promise.all(
      group.map(async (contributor) => ({
        contributor,
        said: await contributions(source, kind, contributor, windows),
      })),
    )
  }
}

/** For each window what the contributor says; undefined where it was elsewhere. */
async function contributions<C>(
  source: CellSource,
  kind: CellKind<C>,
  contributor: Contributor,
  windows: readonly Span[],
): Promise<(Said<C> | undefined)[]> {
  const { from, to } = contributor.stay
  const spans: (Span | undefined)[] = []
  const ends: number[] = []
  const units: Unit[] = []
  for (const window of windows) {
    const span = { from: Math.max(window.from, from), to: Math.min(window.to, to ?? window.to) }
    const isThere = span.from < span.to
    spans.push(isThere ? span : undefined)
    if (isThere) for (const unit of unitsOf(source.days, kind.slot, span)) units.push(unit)
    ends.push(units.length)
  }
  const cells = await readUnits(source, kind, contributor, units)
  return spans.map((span, index) => {
    const [start, end] = [ends[index - 1] ?? 0, ends[index] ?? 0]
    return span && { span, units: units.slice(start, end), cells: cells.slice(start, end) }
  })
}

/**
 * The most that is read in one step. For quarter hours and for days that are not rolled up yet, all readings of a step are in memory at the
 * same time, and the step blocks the event loop.
 */
const STEP_MS = 366 * 86_400_000
const STEP_UNITS = 744

async function readUnits<C>(
  source: CellSource,
  kind: CellKind<C>,
  contributor: Contributor,
  units: readonly Unit[],
): Promise<readonly C[]> {
  const [first, last] = [units[0], units.at(-1)]
  const isOneStep = !first || !last || (last.to - first.from <= STEP_MS && units.length <= STEP_UNITS)
  if (isOneStep) return contributor.read(source, kind, units)
  const cells: C[] = []
  for (let start = 0; start < units.length; ) {
    const until = (units[start]?.from ?? 0) + STEP_MS
    let end = start + 1
    while (end < units.length && end - start < STEP_UNITS && (units[end]?.to ?? 0) <= until) end += 1
    for (const cell of await contributor.read(source, kind, units.slice(start, end))) cells.push(cell)
    await yieldIfDue()
    start = end
  }
  return cells
}

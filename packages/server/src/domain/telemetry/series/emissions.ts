import { at } from '../../../kernel/at.ts'
import { covers, listSpans, overlaps, type TimeSpan, type Windows } from '../../../calendar/interval.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import { joinMeterCells, meterWindow } from '../reading/cell.ts'
import { QUALITIES, type Quality, round4, round6, worstQuality } from '../reading/window-value.ts'
import { METER } from '../rollup/cell-kind.ts'
import { readMeterValues, OPEN_CELL } from '../rollup/cell-row.ts'
import type { CellSource } from '../rollup/cells.ts'
import { type Contributor, readConcurrency, readContributions } from './contribution.ts'
import type { EmissionGrid, GridChunk, GridDay } from './emission-grid.ts'
import type { RollupRow } from '../rollup/store.ts'
import type { RollupUnit } from '../rollup/rollup-unit.ts'
import {
  addMeterWindow,
  addMissingMeterWindow,
  capAtNow,
  createMeterColumns,
  type MeterColumns,
  type Series,
  toQualityIndex,
} from './columns.ts'
import { sumConsumption, summarizeSum } from './meter-series.ts'

/** Slots of a day, with room for clock changes. An even longer day is read like one without rollups. */
const MAX_SLOTS = 60

interface Emissions {
  /** Emissions in each window of the grid. */
  grams: Float64Array
  /** Whether any of the intensities used is synthetic. */
  isSynthetic: boolean
}

/**
 * Half-hourly consumption times half-hourly intensity, summed in chronological order: sums of sums would differ in
 * their last digit. Only the half hours of one chunk are in memory, for any number of contributors and any range.
 */
export async function emissionsIn(
  source: CellSource,
  contributors: readonly Contributor[],
  grid: EmissionGrid,
): Promise<Emissions> {
  const grams = new Float64Array(grid.windows.length)
  let isSynthetic = false
  let window = 0
  if (contributors.length === 0) return { grams, isSynthetic }
  for (const chunk of grid.chunks()) {
    const use = await useIn(source, contributors, chunk)
    for (let index = 0; index < use.length; index += 1) {
      while (chunk.halfHours.from(index) >= grid.windows.to(window)) window += 1
      const used = round6(use[index] ?? Number.NaN)
      grams[window] = (grams[window] ?? Number.NaN) + used * (chunk.gramsPerKwh[index] ?? Number.NaN)
      isSynthetic ||= used !== 0 && chunk.isSynthetic[index] === 1
    }
  }
  return { grams, isSynthetic }
}

/** The contributors' consumption in each half hour, in kilowatt hours; 0 where nothing was measured. */
async function useIn(
  source: CellSource,
  contributors: readonly Contributor[],
  chunk: GridChunk,
): Promise<Float64Array> {
  const use = new Float64Array(chunk.halfHours.length)
  const size = readConcurrency(source.rollups)
  for (let start = 0; start < contributors.length; start += size) {
    const group = contributors.slice(start, start + size)
    const rows = await Promise.all(group.map((contributor) => readDayRows(source, contributor, chunk)))
    for (const [index, contributor] of group.entries()) {
      await addUse(source, contributor, chunk, rows[index] ?? [], use)
      await yieldIfDue()
    }
  }
  return use
}

async function readDayRows(
  { rollups, siteUuid }: CellSource,
  { seriesId, placement }: Contributor,
  { days, halfHours }: GridChunk,
): Promise<RollupRow[]> {
  const [first, last] = [days[0], days.at(-1)]
  if (seriesId === undefined || !first || !last || !overlaps(placement, halfHours.whole)) return []
  return rollups.days(siteUuid, seriesId, first.day, last.day)
}

const values = new Float64Array(MAX_SLOTS)

async function addUse(
  source: CellSource,
  contributor: Contributor,
  chunk: GridChunk,
  rows: readonly RollupRow[],
  use: Float64Array,
): Promise<void> {
  const { halfHours, days } = chunk
  const from = contributor.placement.from
  const to = contributor.placement.to ?? Number.POSITIVE_INFINITY
  const isDone = new Uint8Array(use.length)
  const byDay = new Map(rows.map(({ number, cells }) => [number, cells]))
  const open: GridDay[] = []
  for (const day of days) {
    const row = byDay.get(day.day)
    const count = row && readMeterValues(row, contributor.members, values)
    if (count !== day.count) {
      open.push(day)
      continue
    }
    for (let slot = 0; slot < count; slot += 1) {
      const value = values[slot] ?? Number.NaN
      const index = day.first + slot
      if (value === OPEN_CELL || halfHours.from(index) < from || halfHours.to(index) > to) continue
      if (!Number.isNaN(value)) use[index] = (use[index] ?? Number.NaN) + round6(value)
      isDone[index] = 1
    }
  }
  await skipEmptyDays(source, contributor, chunk, open, isDone)
  await addOthers(source, contributor, halfHours, isDone, use)
}

/** A day without measurements, such as any before the first reading, has no rollup and no half hours to read. */
async function skipEmptyDays(
  source: CellSource,
  contributor: Contributor,
  { halfHours }: GridChunk,
  open: readonly GridDay[],
  isDone: Uint8Array,
): Promise<void> {
  const requests = open.flatMap(({ day, first, count }) => {
    const span = { from: halfHours.from(first), to: halfHours.to(first + count - 1) }
    const unit: RollupUnit = { kind: 'day', day, index: 0, ...span }
    return covers(contributor.placement, span) ? [{ unit, first, count }] : []
  })
  if (requests.length === 0) return
  const cells = await contributor.read(
    source,
    METER,
    requests.map(({ unit }) => unit),
  )
  for (const [index, { first, count }] of requests.entries())
    if (cells[index]?.value === null) isDone.fill(1, first, first + count)
}

/** Adds half hours that no rollup covers: those of open days, and those in which a device moved. */
async function addOthers(
  source: CellSource,
  contributor: Contributor,
  halfHours: Windows,
  isDone: Uint8Array,
  use: Float64Array,
): Promise<void> {
  const indexes: number[] = []
  const windows: TimeSpan[] = []
  for (let index = 0; index < use.length; index += 1) {
    if (isDone[index] === 1) continue
    indexes.push(index)
    windows.push(halfHours.span(index))
  }
  if (windows.length === 0) return
  for await (const { first, spans, ends, cells } of readContributions(
    source,
    METER,
    [contributor],
    windows,
  )) {
    for (const [offset, span] of spans.entries()) {
      if (!span) continue
      const own = joinMeterCells(cells, offset === 0 ? 0 : ends[offset - 1], ends[offset])
      const { value } = meterWindow(own, contributor.members, span.to - span.from)
      const index = at(indexes, first + offset)
      if (value !== null) use[index] = (use[index] ?? Number.NaN) + value
    }
  }
}

/** Kilograms of CO2e per unit of consumption, by metric. Electricity has none: its intensity changes by half hour. */
export type EmissionFactors = Readonly<Partial<Record<MeasuredMetric, number>>>

/** The contributors of one of the metrics that cause emissions. */
export interface EmissionSource {
  metric: MeasuredMetric
  contributors: readonly Contributor[]
}

export interface EmissionRates {
  factors: EmissionFactors
  /** Only called if there is electricity: the intensity may have to be loaded from an external service. */
  loadGrid(): Promise<EmissionGrid>
}

/** The emissions of one metric in each window. */
interface EmissionPart extends EmissionSource {
  columns: MeterColumns
  /** NaN where nothing was measured. */
  kilograms: readonly number[]
}

/**
 * Emissions: electricity by half hour, everything else as consumption times a constant factor, which needs no half
 * hours.
 */
export async function carbonSeries(
  source: CellSource,
  windows: Windows,
  sources: readonly EmissionSource[],
  { factors, loadGrid }: EmissionRates,
  now: number,
): Promise<Series> {
  const spans = listSpans(windows)
  const parts: EmissionPart[] = []
  let isSynthetic = false
  for (const { metric, contributors } of sources) {
    if (contributors.length === 0) continue
    const columns = await sumConsumption(source, contributors, spans)
    const factor = factors[metric]
    const part: EmissionPart = { metric, contributors, columns, kilograms: [] }
    if (factor === undefined) {
      const { grams, isSynthetic: isOwnSynthetic } = await emissionsIn(source, contributors, await loadGrid())
      isSynthetic ||= isOwnSynthetic
      part.kilograms = columns.values.map((used, index) =>
        Number.isNaN(used) ? Number.NaN : round6(at(grams, index) / 1000),
      )
    } else part.kilograms = columns.values.map((used) => round6(used * factor))
    parts.push(part)
    await yieldIfDue()
  }
  const columns = addParts(parts, spans)
  capAtNow(columns, spans, now)
  const components = spans.map((_, index) => toComponents(parts, ({ kilograms }) => at(kilograms, index)))
  const total = toComponents(parts, ({ kilograms }) => sumOf(kilograms))
  const summary = { ...summarizeSum(columns), ...(total && { components: total }) }
  return { columns: { windows, ...columns, components }, summary, isSynthetic }
}

/** The kilograms of each metric that was measured; undefined if none was. */
function toComponents(
  parts: readonly EmissionPart[],
  getKilograms: (part: EmissionPart) => number,
): Record<string, number> | undefined {
  const measured = parts.flatMap((part): [string, number][] => {
    const kilograms = getKilograms(part)
    return Number.isNaN(kilograms) ? [] : [[part.metric, kilograms]]
  })
  return measured.length === 0 ? undefined : Object.fromEntries(measured)
}

/** NaN if all are. */
function sumOf(values: readonly number[]): number {
  const measured = values.filter((value) => !Number.isNaN(value))
  return measured.length === 0 ? Number.NaN : round6(measured.reduce((sum, value) => sum + value, 0))
}

/** Adds the emissions of all metrics. As for several meters, one without data makes the sum partial. */
function addParts(parts: readonly EmissionPart[], spans: readonly TimeSpan[]): MeterColumns {
  const columns = createMeterColumns()
  for (const [index, span] of spans.entries()) {
    let [value, covered, present, measured] = [0, 0, 0, 0]
    let quality: Quality = 'measured'
    for (const { contributors, columns: own, kilograms } of parts) {
      const meters = countMeters(contributors, span)
      present += meters
      if (Number.isNaN(at(kilograms, index))) continue
      measured += meters
      value += at(kilograms, index)
      covered += at(own.coverage, index) * meters
      quality = worstQuality(quality, at(QUALITIES, at(own.quality, index)))
    }
    if (measured === 0) {
      addMissingMeterWindow(columns)
      continue
    }
    const shown = measured < present ? worstQuality(quality, 'partial') : quality
    addMeterWindow(columns, round6(value), toQualityIndex(shown), round4(covered / present))
  }
  return columns
}

/** The number of meters that were present in part of the span. */
const countMeters = (contributors: readonly Contributor[], span: TimeSpan): number =>
  contributors.reduce((sum, { placement, members }) => sum + (overlaps(placement, span) ? members : 0), 0)

import type { Reading } from '../clients/series.ts'
import { listCountedStays, type Span } from './counted-stays.ts'
import { fromExact, takeShare, toExact } from './fixed-point.ts'

/**
 * The expected content of every window, computed from all valid readings by brute force: nothing is optimised, cached
 * or shared with the server.
 */
export interface MetricSpec {
  kind: 'register' | 'delta' | 'gauge'
  registerSize?: number
  maxPerHour?: number
  maxGapMinutes?: number
  stamp?: 'start' | 'end'
  stepMinutes?: number
  of?: string
}

/** A stay of a device in a space. */
export interface Stay {
  spaceUuid: string
  from: number
  to: number
}

export interface SeriesOfDevice {
  deviceUuid: string
  deviceType: string
  metricType: string
  /** The device whose meter also measures what this one measures. */
  submeterOf?: string
  spec: MetricSpec
  stays: readonly Stay[]
  /** In chronological order, one per instant. */
  readings: readonly Reading[]
}

export type Quality = 'measured' | 'estimated' | 'partial' | 'suspect' | 'missing'

export interface Expected {
  value: number | null
  quality: Quality
  coverage: number
  min?: number
  max?: number
  /** How many rounded values may be part of the value. */
  parts: number
}

/** A time span over which a meter counted an amount evenly. */
interface Piece {
  from: number
  to: number
  amount: bigint
  isSuspect: boolean
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const missing: Expected = { value: null, quality: 'missing', coverage: 0, parts: 0 }

/** The windows of a device, in whichever space it was. */
export function windowsOfDevice(series: SeriesOfDevice, edges: readonly number[]): Expected[] {
  return windowsOfStays([{ series, stays: [{ from: -Infinity, to: Infinity }] }], edges)
}

/** The windows of one or several spaces for one metric, from all devices of the site. */
export function windowsOfSpaces(
  all: readonly SeriesOfDevice[],
  metricType: string,
  spaceUuids: readonly string[],
  edges: readonly number[],
): Expected[] {
  const counted = all
    .filter((series) => series.metricType === metricType)
    .map((series) => ({ series, stays: listCountedStays(series, all, spaceUuids) }))
  return windowsOfStays(counted, edges)
}

/** A device and the time in which it counts. */
interface Counted {
  series: SeriesOfDevice
  stays: readonly Span[]
}

function windowsOfStays(counted: readonly Counted[], edges: readonly number[]): Expected[] {
  const isGauge = counted[0]?.series.spec.kind === 'gauge'
  const pieces = new Map(isGauge ? [] : counted.map(({ series }) => [series, splitIntoPieces(series)]))
  return edges.slice(1).map((to, index) => {
    const window = { from: edges[index] ?? 0, to }
    if (isGauge) return gaugeIn(counted, window)
    return sumParts(
      counted.flatMap(({ series, stays }) =>
        cutTo(stays, window).map((stay) => countedIn(series, pieces.get(series) ?? [], stay)),
      ),
    )
  })
}

function cutTo(stays: readonly Span[], window: Span): Span[] {
  return stays
    .map((stay) => ({ from: Math.max(stay.from, window.from), to: Math.min(stay.to, window.to) }))
    .filter(({ from, to }) => from < to)
}

/** Consumption per hour above which it is suspect, if the device declares no limit. */
const defaultMaxPerHour: Record<string, number> = {
  electricity: 2000,
  heating: 2000,
  cooling: 2000,
  solar: 2000,
  gas: 500,
  water: 200,
  hotwater: 200,
}

function splitIntoPieces({ spec, metricType, readings }: SeriesOfDevice): Piece[] {
  const pieces = spec.kind === 'register' ? registerPieces(readings, spec) : deltaPieces(readings, spec)
  const maxPerHour = spec.maxPerHour ?? defaultMaxPerHour[metricType] ?? Infinity
  if (maxPerHour === Infinity) return pieces
  return pieces.map((piece) => ({
    ...piece,
    isSuspect:
      piece.isSuspect || piece.amount * BigInt(hourMs) > toExact(maxPerHour) * BigInt(piece.to - piece.from),
  }))
}

function registerPieces(readings: readonly Reading[], { registerSize }: MetricSpec): Piece[] {
  return readings.slice(1).map((after, index) => {
    const before = readings[index] ?? after
    const [from, to] = [toExact(before.value), toExact(after.value)]
    return { from: before.at, to: after.at, ...judgeChange(from, to, registerSize) }
  })
}

/** The consumption between two readings of a register; a lower one is a roll-over, a reset or a dip. */
function judgeChange(
  from: bigint,
  to: bigint,
  registerSize: number | undefined,
): Pick<Piece, 'amount' | 'isSuspect'> {
  if (to >= from) return { amount: to - from, isSuspect: false }
  if (registerSize !== undefined) {
    const size = toExact(registerSize)
    const overTheTop = to + size - from
    if (overTheTop * 2n <= size) return { amount: overTheTop, isSuspect: false }
  }
  return to * 2n < from ? { amount: to, isSuspect: false } : { amount: 0n, isSuspect: true }
}

/**
 * A delta covers the declared step from its instant on or, if the meter stamps the end, up to it; without a declared
 * step, the time to the next delta, at most a day, and for the newest one as long as the last step.
 */
function deltaPieces(readings: readonly Reading[], { stamp, stepMinutes }: MetricSpec): Piece[] {
  const declared = stepMinutes === undefined ? undefined : stepMinutes * minuteMs
  return readings.map(({ at, value }, index) => {
    const [before, after] = [readings[index - 1], readings[index + 1]]
    const [sinceLast, untilNext] = [before && at - before.at, after && after.at - at]
    const free = declared ?? dayMs
    const span =
      stamp === 'end'
        ? { from: at - Math.min(free, sinceLast ?? declared ?? hourMs / 2), to: at }
        : { from: at, to: at + Math.min(free, untilNext ?? declared ?? sinceLast ?? hourMs / 2) }
    return { ...span, amount: toExact(value), isSuspect: false }
  })
}

function countedIn({ spec, readings }: SeriesOfDevice, pieces: readonly Piece[], span: Span): Expected {
  const inside = pieces.filter((piece) => piece.from < span.to && piece.to > span.from)
  if (inside.length === 0) return missing
  let amount = 0n
  let coveredMs = 0
  for (const piece of inside) {
    const overlapMs = Math.min(piece.to, span.to) - Math.max(piece.from, span.from)
    amount += takeShare(piece.amount, overlapMs, piece.to - piece.from)
    coveredMs += overlapMs
  }
  // A delta is read where its interval begins.
  const instants = spec.kind === 'delta' ? pieces.map(({ from }) => from) : readings.map(({ at }) => at)
  const isRead = instants.some((at) => at >= span.from && at < span.to)
  const coverage = coveredMs / (span.to - span.from)
  const whole: Quality = isRead ? 'measured' : 'estimated'
  const spanned: Quality = coverage < 1 ? 'partial' : whole
  const quality = inside.some(({ isSuspect }) => isSuspect) ? 'suspect' : spanned
  return { value: fromExact(amount), quality, coverage, parts: 1 }
}

/** Sums several meters; one without data makes the sum partial, and coverage is the mean. */
function sumParts(parts: readonly Expected[]): Expected {
  const known = parts.filter(({ value }) => value !== null)
  if (known.length === 0) return missing
  const has = (...qualities: Quality[]): boolean => parts.some(({ quality }) => qualities.includes(quality))
  const order: [Quality, boolean][] = [
    ['suspect', has('suspect')],
    ['partial', has('partial', 'missing')],
    ['estimated', has('estimated')],
  ]
  return {
    value: fromExact(known.reduce((sum, { value }) => sum + toExact(value ?? 0), 0n)),
    quality: order.find(([, isThere]) => isThere)?.[0] ?? 'measured',
    coverage: parts.reduce((sum, { coverage }) => sum + coverage, 0) / parts.length,
    parts: known.length,
  }
}

/**
 * The plain mean of all readings taken in the space or, if there are none, of the values that are still valid; people
 * are summed over the devices that count them.
 */
function gaugeIn(counted: readonly Counted[], window: Span): Expected {
  const byDevice = counted.flatMap(({ series, stays }) => {
    const inside = cutTo(stays, window)
    const covered = inside.flatMap((stay) => coveredIn(series, stay))
    if (covered.length === 0) return []
    const values = series.readings
      .filter(({ at }) => inside.some(({ from, to }) => at >= from && at < to))
      .map(({ value }) => value)
    return [{ covered, values, standing: covered[0]?.value ?? Number.NaN }]
  })
  if (byDevice.length === 0) return missing
  const isRead = byDevice.some(({ values }) => values.length > 0)
  const ownValues = byDevice.map(({ values, standing }) => (values.length > 0 ? values : [standing]))
  const pooled = isRead ? byDevice.flatMap(({ values }) => values) : ownValues.flat()
  const groups = counted[0]?.series.metricType === 'occupancy' ? ownValues : [pooled]
  const sum = (one: (values: number[]) => number): number => groups.map(one).reduce((a, b) => a + b, 0)
  const coverage = unionLength(byDevice.flatMap(({ covered }) => covered)) / (window.to - window.from)
  return {
    value: sum(computeMean),
    quality: coverage < 1 ? 'partial' : isRead ? 'measured' : 'estimated',
    coverage,
    min: sum((values) => Math.min(...values)),
    max: sum((values) => Math.max(...values)),
    parts: groups.length,
  }
}

/** The parts of a span with a valid reading, each with its value. */
function coveredIn(
  { spec: { maxGapMinutes = 60 }, readings }: SeriesOfDevice,
  span: Span,
): (Span & { value: number })[] {
  return readings
    .map(({ at, value }, index) => ({
      from: Math.max(span.from, at),
      to: Math.min(span.to, at + maxGapMinutes * minuteMs, readings[index + 1]?.at ?? Infinity),
      value,
    }))
    .filter(({ from, to }) => from < to)
}

function unionLength(spans: readonly Span[]): number {
  let length = 0
  let end = -Infinity
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    length += Math.max(0, span.to - Math.max(span.from, end))
    end = Math.max(end, span.to)
  }
  return length
}

function computeMean(values: number[]): number {
  return fromExact(values.reduce((sum, value) => sum + toExact(value), 0n)) / values.length
}

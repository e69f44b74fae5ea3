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

const quarterMs = 15 * 60_000
const hourMs = 4 * quarterMs
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
        cutTo(stays, window).map((stay) => countedIn(series.readings, pieces.get(series) ?? [], stay)),
      ),
    )
  })
}

function cutTo(stays: readonly Span[], window: Span): Span[] {
  return stays
    .map((stay) => ({ from: Math.max(stay.from, window.from), to: Math.min(stay.to, window.to) }))
    .filter(({ from, to }) => from < to)
}

function splitIntoPieces({ spec, readings }: SeriesOfDevice): Piece[] {
  const pieces = spec.kind === 'register' ? registerPieces(readings, spec) : deltaPieces(readings)
  const { maxPerHour } = spec
  if (maxPerHour === undefined) return pieces
  return pieces.map((piece) => ({
    ...piece,
    isSuspect: piece.amount * BigInt(hourMs) > toExact(maxPerHour) * BigInt(piece.to - piece.from),
  }))
}

/** The increase between two readings of a register; a decrease is a roll-over or a reset to 0. */
function registerPieces(readings: readonly Reading[], { registerSize }: MetricSpec): Piece[] {
  return readings.slice(1).map((after, index) => {
    const before = readings[index] ?? after
    const [from, to] = [toExact(before.value), toExact(after.value)]
    const rolledOver = registerSize === undefined ? to : to + toExact(registerSize) - from
    const amount = to >= from ? to - from : rolledOver
    return { from: before.at, to: after.at, amount, isSuspect: false }
  })
}

/**
 * A delta covers the time from its instant on, as long as the distance to its nearer neighbour: at most a day, and half
 * an hour if it has none.
 */
function deltaPieces(readings: readonly Reading[]): Piece[] {
  return readings.map(({ at, value }, index) => {
    const [before, after] = [readings[index - 1], readings[index + 1]]
    const distances = [before ? at - before.at : Infinity, after ? after.at - at : Infinity]
    const nearer = Math.min(...distances)
    const length = nearer === Infinity ? hourMs / 2 : Math.min(nearer, dayMs)
    return { from: at, to: at + length, amount: toExact(value), isSuspect: false }
  })
}

function countedIn(readings: readonly Reading[], pieces: readonly Piece[], span: Span): Expected {
  const inside = pieces.filter((piece) => piece.from < span.to && piece.to > span.from)
  if (inside.length === 0) return missing
  let amount = 0n
  let coveredMs = 0
  for (const piece of inside) {
    const overlapMs = Math.min(piece.to, span.to) - Math.max(piece.from, span.from)
    amount += takeShare(piece.amount, overlapMs, piece.to - piece.from)
    coveredMs += overlapMs
  }
  const isRead = readings.some(({ at }) => at >= span.from && at < span.to)
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

/** The plain mean of all readings taken in the space; people are summed over the devices that count them. */
function gaugeIn(counted: readonly Counted[], window: Span): Expected {
  const byDevice = counted
    .map(({ series, stays }) => {
      const inside = cutTo(stays, window)
      return series.readings.filter(({ at }) => inside.some(({ from, to }) => at >= from && at < to))
    })
    .filter((readings) => readings.length > 0)
  if (byDevice.length === 0) return missing
  const groups = counted[0]?.series.metricType === 'occupancy' ? byDevice : [byDevice.flat()]
  const sum = (one: (values: number[]) => number): number =>
    groups.map((readings) => one(readings.map(({ value }) => value))).reduce((a, b) => a + b, 0)
  const quarters = new Set(byDevice.flat().map(({ at }) => Math.floor((at - window.from) / quarterMs)))
  const coverage = quarters.size / Math.ceil((window.to - window.from) / quarterMs)
  return {
    value: sum(computeMean),
    quality: coverage < 1 ? 'partial' : 'measured',
    coverage,
    min: sum((values) => Math.min(...values)),
    max: sum((values) => Math.max(...values)),
    parts: groups.length,
  }
}

function computeMean(values: number[]): number {
  return fromExact(values.reduce((sum, value) => sum + toExact(value), 0n)) / values.length
}

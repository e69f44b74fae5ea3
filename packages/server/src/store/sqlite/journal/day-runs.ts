import type { DayRange } from '../../../domain/telemetry/rollup/roll-up.ts'
import { ByteReader, ByteWriter } from '../../../domain/telemetry/reading/bytes.ts'

/** A set of days as ordered runs that neither overlap nor adjoin. A history without gaps is one run. */
export type DayRuns = readonly DayRange[]

const BYTES_PER_RUN = 10

export function packDayRuns(runs: DayRuns): Uint8Array {
  const out = new ByteWriter(runs.length * BYTES_PER_RUN + 16)
  out.unsigned(runs.length)
  let last = 0
  for (const { from, to } of runs) {
    out.signed(from - last)
    out.unsigned(to - from)
    last = to
  }
  return out.bytes()
}

export function unpackDayRuns(bytes: Uint8Array): DayRuns {
  const input = new ByteReader(bytes)
  const runs: DayRange[] = []
  let last = 0
  for (let left = input.unsigned(); left > 0; left -= 1) {
    const from = last + input.signed()
    last = from + input.unsigned()
    runs.push({ from, to: last })
  }
  return runs
}

export const toDayRuns = (days: Iterable<number>): DayRuns => [...days].reduce<DayRuns>(addDay, [])

/** Adds a day, usually the one after the last. */
export function addDay(runs: DayRuns, day: number): DayRuns {
  const index = runs.findLastIndex(({ from }) => from <= day)
  const before = runs[index]
  if (before && before.to >= day) return runs
  const next = runs[index + 1]
  const from = before?.to === day - 1 ? before.from : day
  const to = next?.from === day + 1 ? next.to : day
  return [
    ...runs.slice(0, from === day ? index + 1 : index),
    { from, to },
    ...runs.slice(to === day ? index + 1 : index + 2),
  ]
}

export const dropDaysBefore = (runs: DayRuns, day: number): DayRuns =>
  runs.flatMap(({ from, to }) => (to < day ? [] : [{ from: Math.max(from, day), to }]))

export const removeDay = (runs: DayRuns, day: number): DayRuns =>
  runs.flatMap((run) => {
    if (day < run.from || day > run.to) return [run]
    return [
      { from: run.from, to: day - 1 },
      { from: day + 1, to: run.to },
    ].filter(({ from, to }) => from <= to)
  })

export const hasDay = (runs: DayRuns, day: number): boolean =>
  runs.some(({ from, to }) => from <= day && day <= to)

/** The days in a range, inclusive. */
export function daysWithin(runs: DayRuns, first: number, last: number): number[] {
  const days: number[] = []
  for (const { from, to } of runs) {
    if (from > last) break
    for (let day = Math.max(from, first); day <= Math.min(to, last); day += 1) days.push(day)
  }
  return days
}

export function lastDayBefore(runs: DayRuns, day: number): number | undefined {
  const run = runs.findLast(({ from }) => from < day)
  return run && Math.min(run.to, day - 1)
}

export function firstDayAfter(runs: DayRuns, day: number): number | undefined {
  const run = runs.find(({ to }) => to > day)
  return run && Math.max(run.from, day + 1)
}

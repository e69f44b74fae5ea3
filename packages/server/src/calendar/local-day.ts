import type { Zone } from './zone.ts'
import { clockEdges } from './clock-edges.ts'

/** The parts of a day that are rolled up: consumption by half hours, climate by hours; quarters once the readings are gone. */
export type SlotInterval = 'PT15M' | 'PT30M' | 'PT1H'

/** A site's calendar days as numbers from 1970-01-01, with their edges in time. */
export interface LocalDays {
  /** The day that an instant belongs to. */
  dayAt(ms: number): number
  /** A day that the zone skipped starts where the next one does: it has no length. */
  startOfDay(day: number): number
  /** The edges of the slots that begin in the day; the last is where its last slot ends. */
  slots(day: number, interval: SlotInterval): readonly number[]
}

const DAY_MS = 86_400_000
const MAX_KNOWN_SLOTS = 2_000
const STEP_MS: Record<SlotInterval, number> = {
  PT15M: 15 * 60_000,
  PT30M: 30 * 60_000,
  PT1H: 60 * 60_000,
}

const known = new WeakMap<Zone, LocalDays>()

export function getLocalDays(zone: Zone): LocalDays {
  let days = known.get(zone)
  if (!days) known.set(zone, (days = createLocalDays(zone)))
  return days
}

function createLocalDays(zone: Zone): LocalDays {
  const starts = new Map<number, number>()
  const slots = {
    PT15M: new Map<number, number[]>(),
    PT30M: new Map<number, number[]>(),
    PT1H: new Map<number, number[]>(),
  }

  const startOfDay = (day: number): number => {
    let start = starts.get(day)
    if (start === undefined) starts.set(day, (start = zone.startOfDay(toPlainDate(day))))
    return start
  }

  const slotsIn = (day: number, interval: SlotInterval): number[] => {
    const [start, end] = [startOfDay(day), startOfDay(day + 1)]
    const step = STEP_MS[interval]
    const isPlain = end - start === DAY_MS && (start + zone.offsetAt(start)) % step === 0
    if (isPlain && zone.offsetPeriods(start, end).length === 1)
      return Array.from({ length: DAY_MS / step + 1 }, (_, index) => start + index * step)
    return clockEdges(zone, step, start, end).filter((edge) => edge >= start)
  }

  /** The day asked for last: neighbours in time are asked for one after the other. */
  let recent = { day: 0, from: 0, to: 0 }

  return {
    dayAt(ms) {
      if (ms >= recent.from && ms < recent.to) return recent.day
      let day = Math.floor((ms + zone.offsetAt(ms)) / DAY_MS)
      // Where midnight comes twice or never, the wall clock's date is not the day's number.
      while (startOfDay(day) > ms) day -= 1
      while (startOfDay(day + 1) <= ms) day += 1
      recent = { day, from: startOfDay(day), to: startOfDay(day + 1) }
      return day
    },
    startOfDay,
    slots(day, interval) {
      const known = slots[interval]
      let edges = known.get(day)
      if (!edges) {
        if (known.size >= MAX_KNOWN_SLOTS) known.clear()
        known.set(day, (edges = slotsIn(day, interval)))
      }
      return edges
    },
  }
}

const toPlainDate = (day: number): Temporal.PlainDate => {
  const date = new Date(day * DAY_MS)
  return new Temporal.PlainDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
}

const months = new Map<number, { month: number; index: number }>()

/** Months are numbered from 1970-01; days in them from 0. */
export function toMonth(day: number): { month: number; index: number } {
  let place = months.get(day)
  if (!place) {
    const date = new Date(day * DAY_MS)
    place = { month: (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth(), index: date.getUTCDate() - 1 }
    months.set(day, place)
  }
  return place
}

export const firstDayOfMonth = (month: number): number =>
  Date.UTC(1970 + Math.floor(month / 12), month % 12, 1) / DAY_MS

import type { Zone } from './zone.ts'
import { clockEdges } from './clock-edges.ts'

/** Slots of rolled-up days: half hours for consumption, hours for climate, quarter hours after retention. */
export type SlotInterval = 'PT15M' | 'PT30M' | 'PT1H'

/** A site's calendar days as numbers from 1970-01-01, with their edges in time. */
export interface LocalDays {
  /** The day that an instant belongs to. */
  dayAt(ms: number): number
  /** A day that the zone skipped starts where the next one does: it has length 0. */
  startOfDay(day: number): number
  /** The edges of the slots that begin in the day; the last edge is the end of its last slot. */
  slots(day: number, interval: SlotInterval): readonly number[]
}

const DAY_MS = 86_400_000
const MAX_CACHED_DAYS = 2_000
const STEP_MS: Record<SlotInterval, number> = {
  PT15M: 15 * 60_000,
  PT30M: 30 * 60_000,
  PT1H: 60 * 60_000,
}

const daysByZone = new WeakMap<Zone, LocalDays>()

export function getLocalDays(zone: Zone): LocalDays {
  let days = daysByZone.get(zone)
  if (!days) daysByZone.set(zone, (days = createLocalDays(zone)))
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

  /** The most recent result: consecutive calls are usually close in time. */
  let recent = { day: 0, from: 0, to: 0 }

  return {
    dayAt(ms) {
      if (ms >= recent.from && ms < recent.to) return recent.day
      let day = Math.floor((ms + zone.offsetAt(ms)) / DAY_MS)
      // Where midnight is repeated or skipped, the date on the wall clock can differ from the day.
      while (startOfDay(day) > ms) day -= 1
      while (startOfDay(day + 1) <= ms) day += 1
      recent = { day, from: startOfDay(day), to: startOfDay(day + 1) }
      return day
    },
    startOfDay,
    slots(day, interval) {
      const cached = slots[interval]
      let edges = cached.get(day)
      if (!edges) {
        if (cached.size >= MAX_CACHED_DAYS) cached.clear()
        cached.set(day, (edges = slotsIn(day, interval)))
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
  let position = months.get(day)
  if (!position) {
    const date = new Date(day * DAY_MS)
    position = {
      month: (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth(),
      index: date.getUTCDate() - 1,
    }
    months.set(day, position)
  }
  return position
}

export const firstDayOfMonth = (month: number): number =>
  Date.UTC(1970 + Math.floor(month / 12), month % 12, 1) / DAY_MS

import { BoundedCache } from '../../../kernel/cache.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { ExternalServiceError } from '../external-service.ts'
import { type GbHalfHour, isFinalHalfHour } from './gb-responses.ts'
import { HALF_HOUR_MS } from './half-hour.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HALF_HOURS_PER_DAY = DAY_MS / HALF_HOUR_MS

/** Maximum span that the service returns for one request. */
const DAYS_PER_REQUEST = 14
/** Maximum number of requests for one `load`. The rest of a longer span is loaded by later calls. */
const MAX_REQUESTS = 4
/** How far ahead the service forecasts. */
const AHEAD_MS = 2 * DAY_MS

const FRESH_MS = 5 * 60_000
const RETRY_MS = 30_000
/** How long until an old day that has gaps, or that the service rejected, is requested again. */
const GAPS_MS = 6 * HOUR_MS
/** Measured values are published within hours: a value that is missing after this long stays missing. */
const SETTLED_AFTER_MS = 2 * DAY_MS
/** A few years of a few regions. */
const MAX_DAYS = 4_000

export type FetchHalfHours = (region: string, from: number, to: number) => Promise<GbHalfHour[]>

/** The cached half hours of a day. Immutable: a new response replaces the object. */
export interface Day {
  readonly halfHours: ReadonlyMap<number, GbHalfHour>
  readonly refreshAt: number
  /** The error of the last request for the day; undefined if it succeeded. */
  readonly failure: unknown
}

/** Half hours by region and UTC day: complete past days are cached forever, others for some minutes. */
export interface DayCache {
  /** Loads the days of a span that are missing or outdated, the newest first, within limits. Never fails. */
  load(region: string, from: number, to: number): Promise<void>
  /** The cached days of a span, by their start. */
  get(region: string, from: number, to: number): ReadonlyMap<number, Day>
}

export function createDayCache(clock: Clock, fetchHalfHours: FetchHalfHours): DayCache {
  const days = new BoundedCache<string, Day>(MAX_DAYS)
  const inFlight = new Map<string, Promise<void>>()
  const toKey = (region: string, day: number): string => `${region} ${day}`

  const isDue = (region: string, day: number): boolean =>
    (days.get(toKey(region, day))?.refreshAt ?? Number.NEGATIVE_INFINITY) <= clock.now()

  const store = (region: string, day: number, response: readonly GbHalfHour[]): void => {
    const now = clock.now()
    // A gap in a new response does not remove a cached half hour.
    const halfHours = new Map(days.get(toKey(region, day))?.halfHours)
    for (const halfHour of response)
      if (startOfUtcDay(halfHour.from) === day) halfHours.set(halfHour.from, halfHour)
    const freshMs = getFreshMs(day, halfHours, now)
    days.set(toKey(region, day), { halfHours, refreshAt: now + freshMs, failure: undefined })
  }

  const storeFailure = (region: string, day: number, failure: unknown): void => {
    const isRejection = failure instanceof ExternalServiceError && failure.isRejection
    const refreshAt = clock.now() + (isRejection ? GAPS_MS : RETRY_MS)
    const halfHours = days.get(toKey(region, day))?.halfHours ?? new Map<number, GbHalfHour>()
    days.set(toKey(region, day), { halfHours, refreshAt, failure })
  }

  const request = async (region: string, run: readonly number[]): Promise<void> => {
    const [first = 0, last = 0] = [run[0], run.at(-1)]
    try {
      const response = await fetchHalfHours(region, first, last + DAY_MS)
      for (const day of run) store(region, day, response)
    } catch (error) {
      for (const day of run) storeFailure(region, day, error)
    }
  }

  return {
    async load(region, from, to) {
      const due = daysIn(from, Math.min(to, clock.now() + AHEAD_MS)).filter((day) => isDue(region, day))
      const running = due.flatMap((day) => inFlight.get(toKey(region, day)) ?? [])
      const free = due.filter((day) => !inFlight.has(toKey(region, day)))
      const started = groupConsecutiveDays(free)
        .slice(0, MAX_REQUESTS)
        .map((run) => {
          const all = request(region, run).finally(() => {
            for (const day of run) inFlight.delete(toKey(region, day))
          })
          for (const day of run) inFlight.set(toKey(region, day), all)
          return all
        })
      await Promise.all([...running, ...started])
    },
    get: (region, from, to) =>
      new Map(
        daysIn(from, to).flatMap((start) => {
          const day = days.get(toKey(region, start))
          return day ? [[start, day] as const] : []
        }),
      ),
  }
}

export const startOfUtcDay = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS

function daysIn(from: number, to: number): number[] {
  const first = startOfUtcDay(from)
  return Array.from(
    { length: Math.max(0, Math.ceil((to - first) / DAY_MS)) },
    (_, index) => first + index * DAY_MS,
  )
}

function getFreshMs(day: number, halfHours: ReadonlyMap<number, GbHalfHour>, now: number): number {
  const isOld = day + DAY_MS + SETTLED_AFTER_MS <= now
  const isSettled = isOld || halfHours.values().every((halfHour) => isFinalHalfHour(halfHour, now))
  if (isSettled && halfHours.size === HALF_HOURS_PER_DAY) return Number.POSITIVE_INFINITY
  return isOld ? GAPS_MS : FRESH_MS
}

/** Groups consecutive days into spans that fit in one request, the newest first. */
function groupConsecutiveDays(days: readonly number[]): number[][] {
  const runs: number[][] = []
  for (const day of days.toReversed()) {
    const run = runs.at(-1)
    if (run && run[0] === day + DAY_MS && run.length < DAYS_PER_REQUEST) run.unshift(day)
    else runs.push([day])
  }
  return runs
}

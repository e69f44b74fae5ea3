import { BoundedCache } from '../../../kernel/cache.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { ExternalServiceError } from '../external-service.ts'
import { type GbHalfHour, isFinalHalfHour } from './gb-responses.ts'
import { HALF_HOUR_MS } from './half-hour.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HALF_HOURS_A_DAY = DAY_MS / HALF_HOUR_MS

/** The most that the service gives for one request. */
const DAYS_A_REQUEST = 14
/** For one question of ours. What a longer span lacks then is brought by the next ones. */
const REQUESTS_AT_ONCE = 4
/** How far the service looks ahead. */
const AHEAD_MS = 2 * DAY_MS

const FRESH_MS = 5 * 60_000
const RETRY_MS = 30_000
/** Until an old day is asked again that came with gaps, or was refused. */
const GAPS_MS = 6 * HOUR_MS
/** Measured figures come within hours: what is missing after this long stays missing. */
const SETTLED_AFTER_MS = 2 * DAY_MS
/** Some years of a few regions. */
const MAX_DAYS = 4_000

export type FetchHalfHours = (region: string, from: number, to: number) => Promise<GbHalfHour[]>

/** What is known of a day. A newer answer replaces it whole. */
export interface Day {
  readonly halfHours: ReadonlyMap<number, GbHalfHour>
  readonly refreshAt: number
  /** Why the last request for it failed; undefined when it did not. */
  readonly failure: unknown
}

/** A region's half hours by days of UTC: those of the past for good, others for some minutes. */
export interface DayCache {
  /** Brings the days of a span that are not known well enough, the newest first and within limits. Never fails. */
  load(region: string, from: number, to: number): Promise<void>
  /** What is known of a span, by the beginnings of its days. */
  known(region: string, from: number, to: number): ReadonlyMap<number, Day>
}

export function createDayCache(clock: Clock, ask: FetchHalfHours): DayCache {
  const days = new BoundedCache<string, Day>(MAX_DAYS)
  const underWay = new Map<string, Promise<void>>()
  const toKey = (region: string, day: number): string => `${region} ${day}`

  const isDue = (region: string, day: number): boolean =>
    (days.get(toKey(region, day))?.refreshAt ?? Number.NEGATIVE_INFINITY) <= clock.now()

  const keep = (region: string, day: number, answer: readonly GbHalfHour[]): void => {
    const now = clock.now()
    // A gap in a new answer takes nothing away that was known.
    const halfHours = new Map(days.get(toKey(region, day))?.halfHours)
    for (const halfHour of answer)
      if (startOfUtcDay(halfHour.from) === day) halfHours.set(halfHour.from, halfHour)
    const freshMs = goodForMs(day, halfHours, now)
    days.set(toKey(region, day), { halfHours, refreshAt: now + freshMs, failure: undefined })
  }

  const giveUp = (region: string, day: number, failure: unknown): void => {
    const isRefusal = failure instanceof ExternalServiceError && failure.isRejection
    const refreshAt = clock.now() + (isRefusal ? GAPS_MS : RETRY_MS)
    const halfHours = days.get(toKey(region, day))?.halfHours ?? new Map<number, GbHalfHour>()
    days.set(toKey(region, day), { halfHours, refreshAt, failure })
  }

  const request = async (region: string, run: readonly number[]): Promise<void> => {
    const [first = 0, last = 0] = [run[0], run.at(-1)]
    try {
      const answer = await ask(region, first, last + DAY_MS)
      for (const day of run) keep(region, day, answer)
    } catch (error) {
      for (const day of run) giveUp(region, day, error)
    }
  }

  return {
    async load(region, from, to) {
      const due = daysIn(from, Math.min(to, clock.now() + AHEAD_MS)).filter((day) => isDue(region, day))
      const running = due.flatMap((day) => underWay.get(toKey(region, day)) ?? [])
      const free = due.filter((day) => !underWay.has(toKey(region, day)))
      const started = groupConsecutiveDays(free)
        .slice(0, REQUESTS_AT_ONCE)
        .map((run) => {
          const all = request(region, run).finally(() => {
            for (const day of run) underWay.delete(toKey(region, day))
          })
          for (const day of run) underWay.set(toKey(region, day), all)
          return all
        })
      await Promise.all([...running, ...started])
    },
    known: (region, from, to) =>
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

function goodForMs(day: number, halfHours: ReadonlyMap<number, GbHalfHour>, now: number): number {
  const isOld = day + DAY_MS + SETTLED_AFTER_MS <= now
  const isSettled = isOld || halfHours.values().every((halfHour) => isFinalHalfHour(halfHour, now))
  if (isSettled && halfHours.size === HALF_HOURS_A_DAY) return Number.POSITIVE_INFINITY
  return isOld ? GAPS_MS : FRESH_MS
}

/** Days that follow each other, as many as one request gives; the newest run first. */
function groupConsecutiveDays(days: readonly number[]): number[][] {
  const runs: number[][] = []
  for (const day of days.toReversed()) {
    const run = runs.at(-1)
    if (run && run[0] === day + DAY_MS && run.length < DAYS_A_REQUEST) run.unshift(day)
    else runs.push([day])
  }
  return runs
}

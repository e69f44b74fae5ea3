import { type Accepted, type AcceptedAs, isOf } from '../../../src/command/accepted.ts'
import { type Target, WEEKDAYS } from '../../../src/command/command.ts'
import type { Held } from '../../../src/command/plan.ts'

/**
 * The slow truth about a plan: goes through real time minute by minute, reads the wall clock from Temporal, and lets
 * every wall-clock minute happen once, in order, when the clock first shows it or a later one. Shares no arithmetic with
 * the plan.
 */

const MINUTE_MS = 60_000

/** Minutes of real time from `start` on. */
export interface Window {
  start: number
  minutes: number
}

/** The wall clock of each minute of the window, as minutes since 1970 on that clock. */
export type Walls = (zone: string) => readonly number[]

export function wallsOf({ start, minutes }: Window): Walls {
  const known = new Map<string, number[]>()
  return (zone) => {
    let walls = known.get(zone)
    if (!walls) {
      walls = Array.from({ length: minutes }, (_, index) => wallAt(start + index * MINUTE_MS, zone))
      known.set(zone, walls)
    }
    return walls
  }
}

function wallAt(at: number, zone: string): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute) / MINUTE_MS
}

/**
 * What holds in each minute of the window, once every running period was seen to start: from the second day on.
 * The override must be accepted within the window.
 */
export function oracle(commands: readonly Accepted[], { start, minutes }: Window, walls: Walls): Held[] {
  const weekly = newest(commands.filter((command) => isOf(command, 'weekly')))
  const override = newest(commands.filter((command) => isOf(command, 'override', 'boost', 'resume')))
  const periods = weekly ? periodsByMinute(weekly, walls(weekly.zone.name)) : []

  const minuteOf = (at: number): number => (at - start) / MINUTE_MS
  const firstMinuteOf = (text: string, zone: string): number => {
    if (text.endsWith('Z')) return minuteOf(Date.parse(text))
    const index = walls(zone).findIndex((wall) => wall >= Date.parse(`${text}Z`) / MINUTE_MS)
    return index === -1 ? minutes : index
  }

  const oneOffs = commands
    .filter((command) => isOf(command, 'oneOff'))
    .map((command) => ({
      ...command,
      first: Math.max(
        minuteOf(command.createdAt),
        firstMinuteOf(command.schedule.startsAt, command.zone.name),
      ),
      end: firstMinuteOf(command.schedule.endsAt, command.zone.name),
    }))

  const until =
    override && isOf(override, 'override') && override.schedule.until !== undefined
      ? firstMinuteOf(override.schedule.until, override.zone.name)
      : undefined

  const isOverNow = ({ schedule, createdAt }: Accepted, minute: number): boolean => {
    if (schedule.type !== 'override' && schedule.type !== 'boost') return true
    if (schedule.durationMinutes !== undefined)
      return minute >= minuteOf(createdAt) + schedule.durationMinutes
    if (schedule.type === 'boost' || schedule.permanent) return false
    if (until !== undefined) return minute >= until
    if (!weekly) return false
    if (weekly.createdAt > createdAt) return minute >= minuteOf(weekly.createdAt)
    return minute > minuteOf(createdAt) && periods[minute]?.started !== periods[minute - 1]?.started
  }

  const belowOverride = (minute: number): Held => {
    const oneOff = newest(oneOffs.filter(({ first, end }) => first <= minute && minute < end))
    if (oneOff) return { source: 'oneOff', target: oneOff.schedule.target }
    if (!weekly || minute < minuteOf(weekly.createdAt)) return { source: 'none', target: null }
    const period = periods[minute]
    return period
      ? { source: 'weekly', target: period.target }
      : { source: 'default', target: weekly.schedule.default }
  }

  let active: Accepted | undefined
  return Array.from({ length: minutes }, (_, minute): Held => {
    if (override && minute === minuteOf(override.createdAt)) active = override
    if (active && isOverNow(active, minute)) active = undefined
    if (active && isOf(active, 'override')) return { source: 'override', target: active.schedule.target }
    if (active && isOf(active, 'boost')) {
      return { source: 'boost', target: active.schedule.target ?? { temperature: 25 } }
    }
    return belowOverride(minute)
  })
}

const newest = <C extends Accepted>(commands: readonly C[]): C | undefined =>
  commands.toSorted((a, b) => a.createdAt - b.createdAt).at(-1)

interface Occurrence {
  /** The wall-clock minute at which it started: no two share one. */
  started: number
  ends: number
  target: Target
}

const clocks = Array.from({ length: 24 * 60 }, (_, minute) =>
  new Date(minute * MINUTE_MS).toISOString().slice(11, 16),
)
const clockOf = (minute: number): string => clocks[minute % clocks.length] ?? ''

const weekdayOf = (minute: number): string | undefined =>
  WEEKDAYS[(new Date(minute * MINUTE_MS).getUTCDay() + 6) % 7]

function periodsByMinute(
  { schedule }: AcceptedAs<'weekly'>,
  walls: readonly number[],
): (Occurrence | undefined)[] {
  let latest = (walls[0] ?? 0) - 1
  let running: Occurrence | undefined
  const happens = (minute: number): void => {
    if (minute === running?.ends) running = undefined
    const clock = clockOf(minute)
    const starting = schedule.periods.find(
      ({ days, start }) => start === clock && days.some((day) => day === weekdayOf(minute)),
    )
    if (!starting) return
    let ends = minute + 1
    while (clockOf(ends) !== starting.end.replace('24:00', '00:00')) ends += 1
    running = { started: minute, ends, target: starting.target }
  }
  return walls.map((wall) => {
    while (latest < wall) happens((latest += 1))
    return running
  })
}

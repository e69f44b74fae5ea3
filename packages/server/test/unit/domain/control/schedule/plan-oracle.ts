import {
  type PlannedCommand,
  type PlannedCommandWith,
  hasScheduleType,
} from '../../../../../src/domain/control/schedule/planned-command.ts'
import { type Target, WEEKDAYS } from '../../../../../src/domain/control/schedule/schedule.ts'
import type { ActiveTarget } from '../../../../../src/domain/control/schedule/plan.ts'

/**
 * Brute-force oracle of a plan: steps through real time minute by minute, reads the wall clock from Temporal, and
 * executes every wall-clock minute once, in order, when the clock first shows it or a later one. Shares no arithmetic
 * with the plan.
 */

const MINUTE_MS = 60_000

/** Minutes of real time from `start` on. */
export interface Window {
  start: number
  minutes: number
}

/** The wall clock of each minute of the window, as minutes since 1970 on that clock. */
export type Walls = (zone: string) => readonly number[]

export function createWalls({ start, minutes }: Window): Walls {
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
 * The target in each minute of the window, once every running period has been seen to start: from the second day on.
 * The override must be accepted within the window.
 */
export function oracle(
  commands: readonly PlannedCommand[],
  { start, minutes }: Window,
  walls: Walls,
): ActiveTarget[] {
  const weekly = newest(commands.filter((command) => hasScheduleType(command, 'weekly')))
  const override = newest(
    commands.filter((command) => hasScheduleType(command, 'override', 'boost', 'resume')),
  )
  const periods = weekly ? periodsByMinute(weekly, walls(weekly.zone.name)) : []

  const toMinute = (at: number): number => (at - start) / MINUTE_MS
  const findFirstMinute = (text: string, zone: string): number => {
    if (text.endsWith('Z')) return toMinute(Date.parse(text))
    const index = walls(zone).findIndex((wall) => wall >= Date.parse(`${text}Z`) / MINUTE_MS)
    return index === -1 ? minutes : index
  }

  const oneOffs = commands
    .filter((command) => hasScheduleType(command, 'oneOff'))
    .map((command) => ({
      ...command,
      first: Math.max(
        toMinute(command.createdAt),
        findFirstMinute(command.schedule.startsAt, command.zone.name),
      ),
      end: findFirstMinute(command.schedule.endsAt, command.zone.name),
    }))

  const until =
    override && hasScheduleType(override, 'override') && override.schedule.until !== undefined
      ? findFirstMinute(override.schedule.until, override.zone.name)
      : undefined

  const isOverNow = ({ schedule, createdAt }: PlannedCommand, minute: number): boolean => {
    if (schedule.type !== 'override' && schedule.type !== 'boost') return true
    if (schedule.durationMinutes !== undefined)
      return minute >= toMinute(createdAt) + schedule.durationMinutes
    if (schedule.type === 'boost' || schedule.permanent) return false
    if (until !== undefined) return minute >= until
    if (!weekly) return false
    if (weekly.createdAt > createdAt) return minute >= toMinute(weekly.createdAt)
    return minute > toMinute(createdAt) && periods[minute]?.started !== periods[minute - 1]?.started
  }

  const belowOverride = (minute: number): ActiveTarget => {
    const oneOff = newest(oneOffs.filter(({ first, end }) => first <= minute && minute < end))
    if (oneOff) return { source: 'oneOff', target: oneOff.schedule.target }
    if (!weekly || minute < toMinute(weekly.createdAt)) return { source: 'none', target: null }
    const period = periods[minute]
    return period
      ? { source: 'weekly', target: period.target }
      : { source: 'default', target: weekly.schedule.default }
  }

  let active: PlannedCommand | undefined
  return Array.from({ length: minutes }, (_, minute): ActiveTarget => {
    if (override && minute === toMinute(override.createdAt)) active = override
    if (active && isOverNow(active, minute)) active = undefined
    if (active && hasScheduleType(active, 'override'))
      return { source: 'override', target: active.schedule.target }
    if (active && hasScheduleType(active, 'boost')) {
      return { source: 'boost', target: active.schedule.target ?? { temperature: 25 } }
    }
    return belowOverride(minute)
  })
}

const newest = <C extends PlannedCommand>(commands: readonly C[]): C | undefined =>
  commands.toSorted((a, b) => a.createdAt - b.createdAt).at(-1)

interface Occurrence {
  /** The wall-clock minute at which it started, which is unique. */
  started: number
  ends: number
  target: Target
}

const clocks = Array.from({ length: 24 * 60 }, (_, minute) =>
  new Date(minute * MINUTE_MS).toISOString().slice(11, 16),
)
const toClock = (minute: number): string => clocks[minute % clocks.length] ?? ''

const toWeekday = (minute: number): string | undefined =>
  WEEKDAYS[(new Date(minute * MINUTE_MS).getUTCDay() + 6) % 7]

function periodsByMinute(
  { schedule }: PlannedCommandWith<'weekly'>,
  walls: readonly number[],
): (Occurrence | undefined)[] {
  let latest = (walls[0] ?? 0) - 1
  let running: Occurrence | undefined
  const happens = (minute: number): void => {
    if (minute === running?.ends) running = undefined
    const clock = toClock(minute)
    const starting = schedule.periods.find(
      ({ days, start }) => start === clock && days.some((day) => day === toWeekday(minute)),
    )
    if (!starting) return
    let ends = minute + 1
    while (toClock(ends) !== starting.end.replace('24:00', '00:00')) ends += 1
    running = { started: minute, ends, target: starting.target }
  }
  return walls.map((wall) => {
    while (latest < wall) happens((latest += 1))
    return running
  })
}

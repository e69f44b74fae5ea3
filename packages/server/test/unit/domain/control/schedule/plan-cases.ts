import fc from 'fast-check'
import type { PlannedCommand } from '../../../../../src/domain/control/schedule/planned-command.ts'
import {
  type Period,
  type Schedule,
  type Target,
  WEEKDAYS,
} from '../../../../../src/domain/control/schedule/schedule.ts'
import { checkPeriods } from '../../../../../src/domain/control/schedule/periods.ts'
import { getZone } from '../../../../../src/calendar/zone.ts'

/** Random commands of one device, most of their times near a clock change. */

const MINUTE_MS = 60_000
const HOUR = 60
const DAY = 24 * HOUR

// Few values, so that adjacent commands often have the same target.
const target: fc.Arbitrary<Target> = fc.constantFrom<Target[]>(
  { temperature: 18 },
  { temperature: 21 },
  { power: 'off' },
)

const nearby = (hours: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: -12, max: 12 }).map((steps) => steps * 15),
    fc.integer({ min: -hours * HOUR, max: hours * HOUR }),
  )

const localText = (minute: number): string => new Date(minute * MINUTE_MS).toISOString().slice(0, 16)

/** `wall` is the wall clock at the change, in minutes since 1970. */
function weekly(zone: string, wall: number): fc.Arbitrary<Schedule> {
  const clock = nearby(12).map((shift) => localText(wall + shift).slice(11))
  const period: fc.Arbitrary<Period> = fc.record({
    days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
    start: clock,
    end: fc.oneof({ weight: 4, arbitrary: clock }, { weight: 1, arbitrary: fc.constant('24:00') }),
    target,
  })
  const limits = { minuteStep: 1, maxPeriodsPerDay: undefined }
  const apart = (periods: Period[]): Period[] =>
    periods.reduce<Period[]>(
      (chosen, one) => (checkPeriods([...chosen, one], limits).length === 0 ? [...chosen, one] : chosen),
      [],
    )
  return fc.record({
    type: fc.constant('weekly'),
    timeZone: fc.constant(zone),
    default: target,
    periods: fc.array(period, { maxLength: 8 }).map(apart),
  })
}

/** A time at `minutes` from the change: an instant, or a wall-clock time, which may be skipped or repeated. */
const timeText = (change: number, wall: number, minutes: number, isLocal: boolean): string =>
  isLocal ? localText(wall + minutes) : new Date(change + minutes * MINUTE_MS).toISOString()

const oneOff = (change: number, wall: number): fc.Arbitrary<Schedule> =>
  fc
    .record({ from: nearby(24), length: fc.integer({ min: 1, max: 400 }), isLocal: fc.boolean(), target })
    .map(({ from, length, isLocal, target }) => ({
      type: 'oneOff',
      startsAt: timeText(change, wall, from, isLocal),
      endsAt: timeText(change, wall, from + length, isLocal),
      target,
    }))

const override = (change: number, wall: number): fc.Arbitrary<Schedule> =>
  fc.oneof(
    fc.record({ minutes: nearby(24), isLocal: fc.boolean(), target }).map(
      ({ minutes, isLocal, target }): Schedule => ({
        type: 'override',
        until: timeText(change, wall, minutes, isLocal),
        target,
      }),
    ),
    fc.record({
      type: fc.constant('override'),
      durationMinutes: fc.integer({ min: 1, max: DAY }),
      target,
    }),
    fc.record({ type: fc.constant('override'), untilNextPeriod: fc.constant(true), target }),
    fc.record({ type: fc.constant('override'), permanent: fc.constant(true), target }),
    fc.record({ type: fc.constant('boost'), durationMinutes: fc.integer({ min: 5, max: 240 }), target }),
    fc.record({ type: fc.constant('boost'), durationMinutes: fc.integer({ min: 5, max: 240 }) }),
    fc.record({ type: fc.constant('resume') }),
  )

export function commandsNear(zone: string, change: number): fc.Arbitrary<PlannedCommand[]> {
  const wall = (change + getZone(zone).offsetAt(change)) / MINUTE_MS
  const accept = (schedule: fc.Arbitrary<Schedule>, at: fc.Arbitrary<number>): fc.Arbitrary<PlannedCommand> =>
    fc.record({ schedule, at, commandUuid: fc.uuid() }).map(({ at, ...rest }) => ({
      ...rest,
      createdAt: change + at * MINUTE_MS,
      zone: getZone(rest.schedule.timeZone ?? zone),
    }))
  const atMost = (length: number, one: fc.Arbitrary<PlannedCommand>): fc.Arbitrary<PlannedCommand[]> =>
    fc.uniqueArray(one, { maxLength: length, selector: ({ createdAt }) => createdAt })
  const longAgo = fc.constant(-28 * DAY)
  return fc
    .tuple(
      atMost(
        1,
        accept(
          fc.oneof(weekly(zone, wall), weekly('UTC', change / MINUTE_MS)),
          fc.oneof(longAgo, nearby(24)),
        ),
      ),
      atMost(3, accept(oneOff(change, wall), nearby(24))),
      atMost(2, accept(override(change, wall), nearby(24))),
    )
    .map((parts) => parts.flat())
}

import {
  formatClock,
  formatDayAndMonth,
  formatShortMonth,
  formatWeekday,
  isSameDay,
  type LocalTime,
  toDayNumber,
} from './time.ts'
import { type Interval, isIntraday, type Window } from './windows.ts'

export interface Tick {
  /** Position on the axis, in seconds since the epoch. */
  at: number
  /** One line, or two separated by a line break. */
  label: string
  /** Whether a day begins here, within a chart of hours. */
  startsDay: boolean
}

interface Level {
  includes: (window: Window, previous: Window | undefined) => boolean
  label: (time: LocalTime, previous: LocalTime | undefined) => string
  /** Fewest pixels between two ticks, so that labels do not touch. */
  spacePx: number
}

/**
 * Ticks of a time axis: those of the finest level whose labels fit. They come from the windows themselves, whose
 * timestamps show the site's clocks, so that days of 23 and 25 hours need no rule.
 */
export function findTicks(
  windows: readonly Window[],
  interval: Interval,
  [from, to]: readonly [number, number],
  widthPx: number,
): Tick[] {
  const visible = windows.filter((window) => window.to > from && window.from < to)
  const pxPerSecond = widthPx / (to - from)
  const levels = getLevels(interval)
  let ticks: Tick[] = []
  for (const level of levels) {
    ticks = placeTicks(windows, visible, level, interval).filter(({ at }) => at >= from && at <= to)
    if (areApart(ticks, pxPerSecond, level.spacePx)) break
  }
  return isIntraday(interval) ? separateDates(ticks, pxPerSecond) : ticks
}

/** Width of a date below a time. */
const DATE_PX = 76

/** Where two dates below the axis would touch, only the later one is shown. */
function separateDates(ticks: readonly Tick[], pxPerSecond: number): Tick[] {
  const dated = ticks.filter(({ label }) => DATED.test(label))
  const hidden = dated.filter((tick, index) => {
    const next = dated[index + 1]
    return next !== undefined && (next.at - tick.at) * pxPerSecond < DATE_PX
  })
  return ticks.map((tick) =>
    hidden.includes(tick) ? { ...tick, label: tick.label.slice(0, tick.label.indexOf('\n')) } : tick,
  )
}

/** A time with a date below it. */
const DATED = /^\d.*\n/

function areApart(ticks: readonly Tick[], pxPerSecond: number, spacePx: number): boolean {
  return ticks.every((tick, index) => {
    const previous = ticks[index - 1]
    return !previous || (tick.at - previous.at) * pxPerSecond >= spacePx
  })
}

function placeTicks(
  windows: readonly Window[],
  visible: readonly Window[],
  level: Level,
  interval: Interval,
): Tick[] {
  const ticks: Tick[] = []
  let last: LocalTime | undefined
  for (const window of visible) {
    const previous = windows[window.index - 1]
    const isRepetition =
      window.isRepeated && last !== undefined && formatClock(last) === formatClock(window.start)
    if (!level.includes(window, previous) || isRepetition) continue
    ticks.push({
      // A tick between windows of hours is a time; a tick below a day, week or month is its name.
      at: isIntraday(interval) ? window.from : (window.from + window.to) / 2,
      label: level.label(window.start, last),
      startsDay: isIntraday(interval) && previous !== undefined && !isSameDay(previous.start, window.start),
    })
    last = window.start
  }
  return ticks
}

const HOUR = 60
const DAY = 24 * HOUR

function getLevels(interval: Interval): Level[] {
  if (interval === 'P1M') return [1, 2, 3, 6, 12].map(everyMonths)
  if (interval === 'P1W') return [...[1, 2, 4].map(everyWeeks), ...[1, 3, 12].map(firstOfMonths)]
  if (!isIntraday(interval)) return [...[1, 2].map(everyDays), mondays, ...[1, 3, 12].map(firstOfMonths)]
  return [
    ...[15, 30, HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR].map(everyMinutes),
    ...[1, 2].map(startOfDays),
    ...[1, 2].map(startOfWeeks),
    startOfMonths,
  ]
}

const everyMinutes = (step: number): Level => ({
  includes: ({ start }) => (start.hour * HOUR + start.minute) % Math.min(step, DAY) === 0,
  label: (time, previous) =>
    previous && isSameDay(previous, time)
      ? formatClock(time)
      : `${formatClock(time)}\n${formatWeekday(time)} ${formatDayAndMonth(time)}`,
  spacePx: 52,
})

const isStartOfDay = (window: Window, previous: Window | undefined): boolean =>
  previous ? !isSameDay(previous.start, window.start) : formatClock(window.start) === '00:00'

const nameDay = (time: LocalTime): string => `${formatWeekday(time)}\n${formatDayAndMonth(time)}`

const startOfDays = (step: number): Level => ({
  includes: (window, previous) => isStartOfDay(window, previous) && toDayNumber(window.start) % step === 0,
  label: nameDay,
  spacePx: 50,
})

const startOfWeeks = (step: number): Level => ({
  includes: (window, previous) => isStartOfDay(window, previous) && isMonday(window.start, step),
  label: nameDay,
  spacePx: 50,
})

/** Whether a week begins, of which every `step`th counts. Day 4, 5 January 1970, was a Monday. */
const isMonday = (time: LocalTime, step: number): boolean => (toDayNumber(time) - 4) % (7 * step) === 0

const startOfMonths: Level = {
  includes: (window, previous) => isStartOfDay(window, previous) && window.start.day === 1,
  label: nameDay,
  spacePx: 50,
}

/** The day of the month, with the month below where it changes. */
const nameDate = (time: LocalTime, previous: LocalTime | undefined): string =>
  previous?.month === time.month ? String(time.day) : `${time.day}\n${formatShortMonth(time)}`

const everyDays = (step: number): Level => ({
  includes: ({ index }) => index % step === 0,
  label: nameDate,
  spacePx: 24,
})

const mondays: Level = {
  includes: ({ start }) => isMonday(start, 1),
  label: nameDate,
  spacePx: 26,
}

const everyWeeks = (step: number): Level => ({
  includes: ({ index }) => index % step === 0,
  label: nameDate,
  spacePx: 28,
})

/** The month, with the year below where it changes. */
const nameMonth = (time: LocalTime, previous: LocalTime | undefined): string =>
  previous?.year === time.year ? formatShortMonth(time) : `${formatShortMonth(time)}\n${time.year}`

const firstOfMonths = (step: number): Level => ({
  includes: ({ start }, previous) =>
    (previous ? previous.start.month !== start.month : start.day === 1) && (start.month - 1) % step === 0,
  label: nameMonth,
  spacePx: 34,
})

const everyMonths = (step: number): Level => ({
  includes: ({ start }) => (start.month - 1) % step === 0,
  label: nameMonth,
  spacePx: 34,
})

import type { Command, ScheduleBody, Target, WeeklyPeriod } from '@portico/sdk'
import { formatValue, toWords } from '../../format.ts'
import { formatZoned } from '../site-time.ts'

/** "21.5 °C", "cool, 24 °C", "off". */
export function describeTarget(target: Target | null | undefined): string {
  if (!target) return 'not known'
  const { temperature, power, mode } = target
  const parts = [
    power,
    mode,
    temperature === undefined ? undefined : formatValue(temperature, 'degC'),
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

/** "45 min", "1 h 30 min", "2 days". */
export function describeMinutes(minutes: number): string {
  if (minutes >= 2880 && minutes % 1440 === 0) return `${minutes / 1440} days`
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ') || '0 min'
}

const TYPES: Readonly<Record<ScheduleBody['type'], string>> = {
  override: 'Override',
  boost: 'Boost',
  oneOff: 'One-off',
  weekly: 'Weekly plan',
  resume: 'Resume',
}

export const toTypeName = (type: string): string =>
  (TYPES as Readonly<Record<string, string>>)[type] ?? toWords(type)

/** Short description of a command. Local times are shown as they were given. */
export function describeSchedule(schedule: ScheduleBody, timeZone: string): string {
  switch (schedule.type) {
    case 'override':
      return `${describeTarget(schedule.target)}, ${describeEnd(schedule, timeZone)}`
    case 'boost':
      return `${schedule.target ? describeTarget(schedule.target) : 'as much as possible'} for ${describeMinutes(schedule.durationMinutes)}`
    case 'oneOff':
      return `${describeTarget(schedule.target)} from ${describeTime(schedule.startsAt, timeZone)} to ${describeTime(schedule.endsAt, timeZone)}`
    case 'weekly': {
      const { length } = schedule.periods
      return `${describeTarget(schedule.default)}, with ${length} ${length === 1 ? 'period' : 'periods'}`
    }
    case 'resume':
      return 'back to the weekly plan'
  }
}

function describeEnd(schedule: Extract<ScheduleBody, { type: 'override' }>, timeZone: string): string {
  if (schedule.durationMinutes !== undefined) return `for ${describeMinutes(schedule.durationMinutes)}`
  if (schedule.until !== undefined) return `until ${describeTime(schedule.until, timeZone)}`
  return schedule.untilNextPeriod ? 'until the next period' : 'until the next command'
}

/** A time of a request: with an offset it is an instant, without one it is local already. */
const describeTime = (time: string, timeZone: string): string =>
  /(Z|[+-]\d\d:?\d\d)$/i.test(time) ? formatZoned(time, timeZone) : time.slice(0, 16).replace('T', ' ')

const DAY_NAMES: Readonly<Record<WeeklyPeriod['days'][number], string>> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
}

export const toDayName = (day: WeeklyPeriod['days'][number]): string => DAY_NAMES[day]

export type CommandState = Command['state']

const FINAL: readonly CommandState[] = ['CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED']

export const isFinal = (state: CommandState): boolean => FINAL.includes(state)

const STATES: Readonly<Record<string, string>> = {
  PENDING: 'Pending: the command is stored and waits to be sent.',
  SENT: 'Sent: the command is on its way to the device.',
  DELIVERED: 'Delivered: the device has received the command.',
  CONFIRMED: 'Confirmed: the command is in effect.',
  FAILED: 'Failed: the command was not carried out.',
  EXPIRED: 'Expired: the command was not carried out in time.',
  CANCELLED: 'Cancelled: the command has no effect.',
}

/** A state as a sentence, with the reason if there is one. */
export function describeState(state: CommandState, reason: Command['failureReason'] = null): string {
  const sentence = STATES[state] ?? `${toWords(state)}.`
  return reason ? `${sentence} ${toSentence(reason.message)}` : sentence
}

/** A text of a device or of the API as a sentence. */
export function toSentence(text: string): string {
  const trimmed = text.trim()
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`
}

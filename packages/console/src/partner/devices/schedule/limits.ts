import type { Device, ScheduleBody, Target, WeeklyPeriod } from '@portico/sdk'

export type ScheduleType = ScheduleBody['type']
export type Weekday = WeeklyPeriod['days'][number]
export type Mode = NonNullable<Target['mode']>

export const WEEKDAYS: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

export interface NumberRange {
  min: number
  max: number
  step: number
}

/** The values that can be chosen for a device. */
export interface Limits {
  types: readonly ScheduleType[]
  /** Of a target without a mode; undefined if it may not have a temperature. */
  temperature: NumberRange | undefined
  /** Of a target with a mode; a mode in which a target may not have a temperature is absent. */
  temperatureByMode: Readonly<Partial<Record<Mode, NumberRange>>>
  hasPower: boolean
  modes: readonly Mode[]
  boostMinutes: NumberRange
  /** Times of a weekly plan are multiples of it. */
  minuteStep: number
  maxPeriodsPerDay: number
}

const TYPES: readonly ScheduleType[] = ['override', 'boost', 'oneOff', 'weekly', 'resume']
const MODES: readonly Mode[] = ['heat', 'cool', 'auto', 'fan', 'dry', 'off']
/** Bounds of the API for every device. */
const BOOST_MINUTES = { min: 5, max: 240, step: 5 }
/** Periods that a weekly plan may have. */
export const MAX_PERIODS = 42

/** The limits of a device that accepts commands; undefined for any other device. */
export function findLimits({
  capabilities,
  effective,
}: Pick<Device, 'capabilities' | 'effective'>): Limits | undefined {
  const { schedule, boost } = capabilities
  const temperature = effective.setpoint ? toMultiples(effective.setpoint) : undefined
  const canBoost = temperature !== undefined || effective.power
  const types = TYPES.filter((type) => schedule?.types.includes(type) && (type !== 'boost' || canBoost))
  if (types.length === 0) return undefined
  return {
    types,
    temperature,
    temperatureByMode: toRanges(effective.setpointByMode),
    hasPower: effective.power,
    modes: MODES.filter((mode) => effective.modes.includes(mode)),
    boostMinutes: { ...BOOST_MINUTES, max: Math.min(BOOST_MINUTES.max, boost?.maxMinutes ?? Infinity) },
    minuteStep: schedule?.minuteStep ?? 1,
    maxPeriodsPerDay: schedule?.maxPeriodsPerDay ?? MAX_PERIODS,
  }
}

function toRanges(bounds: Device['effective']['setpointByMode']): Limits['temperatureByMode'] {
  const ranges = Object.entries(bounds).map(([mode, range]) => [mode, toMultiples(range)] as const)
  return Object.fromEntries(ranges.filter((entry) => entry[1] !== undefined))
}

/** The temperatures that a target may have: heating and cooling have different bounds. */
export const findTemperatures = (
  { temperature, temperatureByMode }: Pick<Limits, 'temperature' | 'temperatureByMode'>,
  { mode }: Target,
): NumberRange | undefined => (mode === undefined ? temperature : temperatureByMode[mode])

/** A target within the bounds of its mode: a temperature moves to the nearest, or is left out if there is none. */
export function fitTarget(limits: Limits, target: Target): Target {
  const { temperature, ...rest } = target
  if (temperature === undefined) return target
  const range = findTemperatures(limits, target)
  return range ? { ...rest, temperature: toNearest(temperature, range) } : rest
}

/** Bounds that are themselves multiples of the step; undefined if no multiple is between them. */
export function toMultiples({ min, max, step }: NumberRange): NumberRange | undefined {
  const [first, last] = [Math.ceil(min / step - 1e-9), Math.floor(max / step + 1e-9)]
  return first > last ? undefined : { min: toFixed(first * step), max: toFixed(last * step), step }
}

/** Without the noise of binary fractions: 0.1 × 3 is 0.3. */
const toFixed = (value: number): number => Number(value.toFixed(6))

/** The value of the range that is nearest. */
export function toNearest(value: number, { min, max, step }: NumberRange): number {
  const nearest = toFixed(min + Math.round((value - min) / step) * step)
  return Math.min(max, Math.max(min, nearest))
}

/** Minutes of a day at which a period may start, or end: 24:00 is an end only. */
export const canBeTime = (minutes: number, minuteStep: number, isEnd: boolean): boolean =>
  minutes % minuteStep === 0 && (minutes < 1440 || (isEnd && minutes === 1440))

export const toMinutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

export const toClock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

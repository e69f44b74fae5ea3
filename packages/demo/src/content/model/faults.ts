import type { Inventory } from '@portico/wire/operator/inventory'
import { toDeviceUuid } from '../name-uuid.ts'
import { type Grid, indexOfUtc, SLOTS_PER_DAY, toInstant } from './grid.ts'
import { toSeed, uniform } from './noise.ts'

/**
 * Faults of the demo. Each returns every year on its date, or every month, week or day, so that any year of history
 * contains it and the history of a day does not depend on the requested range. Faults that partners should see at any
 * time return at least every week, or overlap so that one of them is always present.
 */

type Device = Inventory['devices'][number]

/** UTC. */
interface YearlyMoment {
  month: number
  day: number
  hour: number
}

const AT_ALDGATE = 'Aldgate Court'

/** The gateway loses its uplink: no wireless device is received. */
const GATEWAY_OUTAGES: (YearlyMoment & { hours: number })[] = [
  { month: 2, day: 9, hour: 1, hours: 5 },
  { month: 10, day: 22, hour: 13, hours: 5 },
]

/** A device sends nothing for a long time. */
const LONG_SILENCES: (YearlyMoment & { hours: number; deviceUuid: string })[] = [
  { deviceUuid: toDeviceUuid(AT_ALDGATE, 'S203', 'sensor'), month: 3, day: 3, hour: 7, hours: 9 * 24 + 5 },
  { deviceUuid: toDeviceUuid(AT_ALDGATE, 'W3A-4', 'valve'), month: 10, day: 28, hour: 16, hours: 61 },
  { deviceUuid: toDeviceUuid(AT_ALDGATE, 'W1B Kitchen', 'heat'), month: 12, day: 3, hour: 9, hours: 30 },
]

/** A device sends nothing, starting on a day of each month. On any day, some of these devices are silent. */
const MONTHLY_SILENCES: { deviceUuid: string; day: number; hour: number; hours: number }[] = [
  { deviceUuid: toDeviceUuid(AT_ALDGATE, 'W2A-5', 'valve'), day: 3, hour: 6, hours: 25 * 24 },
  { deviceUuid: toDeviceUuid(AT_ALDGATE, 'S305', 'valve'), day: 2, hour: 15, hours: 24 * 24 },
  { deviceUuid: toDeviceUuid(AT_ALDGATE, 'W3A-5', 'valve'), day: 15, hour: 9, hours: 28 * 24 },
  { deviceUuid: toDeviceUuid(AT_ALDGATE, 'S102', 'valve'), day: 17, hour: 20, hours: 26 * 24 },
  // A whole local day, in winter and in summer.
  { deviceUuid: toDeviceUuid(AT_ALDGATE, 'Reception', 'electricity'), day: 5, hour: 23, hours: 25 },
]

/** A device sends nothing for two hours, twice a day. */
const DAILY_SILENCES = [
  { deviceUuid: toDeviceUuid(AT_ALDGATE, 'Common room', 'sensor'), hours: [3, 14], lengthHours: 2 },
]

/** A register falls a little every Monday and Thursday: its meter is faulty. */
const WEEKLY_DIPS = [1, 4].map((weekday) => ({
  deviceUuid: toDeviceUuid(AT_ALDGATE, 'Laundry', 'cold-water'),
  weekday,
  hour: 11,
}))

/** Devices whose batteries do not last. */
export const WEAK_BATTERIES: ReadonlySet<string> = new Set([
  toDeviceUuid(AT_ALDGATE, 'W1A-2', 'valve'),
  toDeviceUuid(AT_ALDGATE, 'S203', 'valve'),
  toDeviceUuid(AT_ALDGATE, 'S2A-1', 'valve'),
])

/** A meter is replaced at the yearly service: its register restarts at 0. */
const RESETS: (YearlyMoment & { deviceUuid: string })[] = [
  { deviceUuid: toDeviceUuid(AT_ALDGATE, 'W2B Kitchen', 'cold-water'), month: 5, day: 14, hour: 10 },
]

/** A sensor repeats its value for a day. */
const STUCK_DAYS: (Omit<YearlyMoment, 'hour'> & { deviceUuid: string })[] = [
  { deviceUuid: toDeviceUuid(AT_ALDGATE, 'S104', 'sensor'), month: 11, day: 5 },
]

/** Radio links fail occasionally: in 1 % of weeks, for 1 to 60 hours. */
const SILENT_WEEKS = 0.01
const WEEK_SLOTS = 7 * SLOTS_PER_DAY

export interface Faults {
  /** Half-open time spans without readings, ordered by start; they may overlap. */
  silences: [from: number, to: number][]
  /** Where the register restarts at 0. */
  resets: number[]
  /** Where the register falls a little. */
  dips: number[]
  stuck: [from: number, to: number][]
}

export function findFaults(device: Device, grid: Grid): Faults {
  const isOwn = (fault: { deviceUuid: string }): boolean => fault.deviceUuid === device.deviceUuid
  const isWireless = device.gatewayUuid !== undefined && device.gatewayUuid !== null
  const silences = LONG_SILENCES.filter(isOwn).concat(
    isWireless ? GATEWAY_OUTAGES.map((outage) => ({ ...outage, deviceUuid: device.deviceUuid })) : [],
  )
  return {
    silences: [
      ...silences.flatMap((fault) => yearly(grid, fault).map((from) => span(from, fault.hours * 2))),
      ...MONTHLY_SILENCES.filter(isOwn).flatMap((fault) =>
        monthly(grid, fault).map((from) => span(from, fault.hours * 2)),
      ),
      ...DAILY_SILENCES.filter(isOwn).flatMap(({ hours, lengthHours }) =>
        hours.flatMap((hour) => daily(grid, hour).map((from) => span(from, lengthHours * 2))),
      ),
      ...(isWireless ? radioSilences(toSeed(device.deviceUuid), grid) : []),
    ].toSorted(([a], [b]) => a - b),
    resets: RESETS.filter(isOwn).flatMap((fault) => yearly(grid, fault)),
    dips: WEEKLY_DIPS.filter(isOwn).flatMap(({ weekday, hour }) =>
      daily(grid, hour).filter((index) => new Date(toInstant(index)).getUTCDay() === weekday),
    ),
    stuck: STUCK_DAYS.filter(isOwn).flatMap((fault) =>
      yearly(grid, { ...fault, hour: 0 }).map((from) => span(from, SLOTS_PER_DAY)),
    ),
  }
}

const span = (from: number, slots: number): [from: number, to: number] => [from, from + slots]

function yearly(grid: Grid, { month, day, hour }: YearlyMoment): number[] {
  const years = new Set(grid.days.map(({ year }) => year))
  return [...years]
    .map((year) => indexOfUtc(year, month, day, hour))
    .filter((index) => index >= 0 && index < grid.count)
}

/** A silence of the month before the first may reach into the modelled time. */
function monthly(grid: Grid, { day, hour }: Omit<YearlyMoment, 'month'>): number[] {
  const years = new Set(grid.days.map(({ year }) => year))
  return [...years]
    .flatMap((year) => Array.from({ length: 12 }, (_, index) => indexOfUtc(year, index + 1, day, hour)))
    .filter((index) => index < grid.count)
}

/** Whether a monthly silence is in progress. */
export const isSilentThisMonth = (deviceUuid: string, now: number): boolean =>
  MONTHLY_SILENCES.some((fault) => {
    const { day, hour, hours } = fault
    if (fault.deviceUuid !== deviceUuid) return false
    const today = new Date(now)
    return [today.getUTCMonth(), today.getUTCMonth() - 1].some((month) => {
      const from = Date.UTC(today.getUTCFullYear(), month, day, hour)
      return now >= from && now < from + hours * 3_600_000
    })
  })

/** The index of an hour on every day. */
function daily(grid: Grid, hour: number): number[] {
  const first = new Date(toInstant(0))
  const start = indexOfUtc(first.getUTCFullYear(), first.getUTCMonth() + 1, first.getUTCDate(), hour)
  const count = Math.ceil(grid.count / SLOTS_PER_DAY)
  return Array.from({ length: count }, (_, day) => start + day * SLOTS_PER_DAY).filter(
    (index) => index >= 0 && index < grid.count,
  )
}

function radioSilences(seed: number, grid: Grid): [from: number, to: number][] {
  const silences: [from: number, to: number][] = []
  for (let week = 0; week * WEEK_SLOTS < grid.count; week += 1) {
    if (uniform(seed + 1, week) >= SILENT_WEEKS) continue
    const from = week * WEEK_SLOTS + Math.floor(uniform(seed + 2, week) * WEEK_SLOTS)
    silences.push(span(from, 2 + Math.floor(118 * uniform(seed + 3, week) ** 2)))
  }
  return silences
}

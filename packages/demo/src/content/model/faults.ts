import type { Inventory } from '@portico/wire/operator/inventory'
import { toDeviceUuid } from '../name-uuid.ts'
import { type Grid, indexOfUtc, SLOTS_PER_DAY } from './grid.ts'
import { toSeed, uniform } from './noise.ts'

/**
 * Faults of the demo. Each returns every year on its date, so that any year of history contains it and the history of
 * a day does not depend on the requested range.
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
      ...(isWireless ? radioSilences(toSeed(device.deviceUuid), grid) : []),
    ].toSorted(([a], [b]) => a - b),
    resets: RESETS.filter(isOwn).flatMap((fault) => yearly(grid, fault)),
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

function radioSilences(seed: number, grid: Grid): [from: number, to: number][] {
  const silences: [from: number, to: number][] = []
  for (let week = 0; week * WEEK_SLOTS < grid.count; week += 1) {
    if (uniform(seed + 1, week) >= SILENT_WEEKS) continue
    const from = week * WEEK_SLOTS + Math.floor(uniform(seed + 2, week) * WEEK_SLOTS)
    silences.push(span(from, 2 + Math.floor(118 * uniform(seed + 3, week) ** 2)))
  }
  return silences
}

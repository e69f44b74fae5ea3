import { listDays, listHours, type Windows } from '../../packages/console/test/calendar.ts'
import type { Point, SpaceSeries, WeeklySchedule } from '../../packages/sdk/src/types.ts'

/** API responses, as charts receive them. */
export interface ChartFixture {
  title: string
  kind: 'bars' | 'lines'
  answer: SpaceSeries
  previous?: SpaceSeries
}

type Reading = Omit<Point, 'timestamp'>

const measured = (value: number): Reading => ({ value, quality: 'measured', coverage: 1 })
const missing: Reading = { value: null, quality: 'missing', coverage: 0 }
const estimated = (value: number): Reading => ({ value, quality: 'estimated', coverage: 0 })
const partial = (value: number): Reading => ({ value, quality: 'partial', coverage: 0.4 })
const suspect = (value: number): Reading => ({ value, quality: 'suspect', coverage: 1 })

/** Each quality once, with the same value, and zero at the end. */
export const QUALITIES = [measured(4), estimated(4), partial(4), suspect(4), missing, measured(0)]

function answer(
  { timestamps, toDateTime }: Windows,
  toReading: (index: number) => Reading,
  changes: Partial<SpaceSeries> = {},
): SpaceSeries {
  const timeSeries = timestamps.map((timestamp, index) => ({ timestamp, ...toReading(index) }))
  const values = timeSeries.flatMap(({ value }) => value ?? [])
  const sum = values.reduce((total, value) => total + value, 0)
  const isSum = changes.aggregation !== 'mean'
  return {
    spaceUuid: '4b3f2a0e-6d0c-4a57-9d1c-0a1f6e7b8c9d',
    scope: 'space',
    metricType: 'electricity',
    unit: 'kWh',
    aggregation: 'sum',
    granularity: 'hourly',
    interval: 'PT1H',
    timeZone: 'Europe/Berlin',
    fromDateTime: timestamps[0] ?? toDateTime,
    toDateTime,
    hasData: values.length > 0,
    timeSeries,
    summary: {
      min: Math.min(...values),
      max: Math.max(...values),
      ...(isSum ? { total: round(sum) } : { mean: round(sum / values.length) }),
    },
    ...changes,
  }
}

const round = (value: number): number => Math.round(value * 1000) / 1000

/** A day of a flat: little at night, more in the morning, most in the evening. */
const toLoad = (hour: number): number =>
  round(0.12 + 0.32 * bump(hour, 7.5, 1.6) + 0.2 * bump(hour, 13, 2) + 0.86 * bump(hour, 19, 2.2))
const bump = (x: number, at: number, width: number): number => Math.exp(-(((x - at) / width) ** 2))
const toTemperature = (hour: number): number => round(19.4 + 2.1 * Math.sin(((hour - 9) / 24) * 2 * Math.PI))

const CLIMATE = { metricType: 'temperature', unit: 'degC', aggregation: 'mean' } as const

const withRange = (reading: Reading, spread: number): Reading =>
  reading.value === null
    ? reading
    : { ...reading, min: round(reading.value - spread), max: round(reading.value + spread * 1.2) }

function toMixed(hour: number, value: number): Reading {
  if (hour === 3 || hour === 4) return missing
  if (hour >= 9 && hour <= 11) return estimated(value)
  if (hour === 14) return suspect(value)
  if (hour === 23) return partial(value)
  return measured(value)
}

const today = listHours('2026-11-17')
const yesterday = listHours('2026-11-16')

export const charts: ChartFixture[] = [
  {
    title: 'Electricity',
    kind: 'bars',
    answer: answer(today, (hour) => toMixed(hour, toLoad(hour))),
    previous: answer(yesterday, (hour) => measured(round(toLoad(hour - 0.6) * 1.12))),
  },
  {
    title: 'Temperature',
    kind: 'lines',
    answer: answer(today, (hour) => withRange(toMixed(hour, toTemperature(hour)), 0.6), CLIMATE),
    previous: answer(yesterday, (hour) => measured(round(toTemperature(hour) - 0.7)), CLIMATE),
  },
  {
    title: 'Every quality, bars',
    kind: 'bars',
    answer: answer(firstOf(today, QUALITIES.length), (index) => QUALITIES[index] ?? missing),
  },
  {
    title: 'Every quality, lines',
    kind: 'lines',
    answer: answer(
      firstOf(today, QUALITIES.length + 1),
      (index) => [...QUALITIES.slice(0, 4), measured(4), missing, measured(0)][index] ?? missing,
      { ...CLIMATE, metricType: 'humidity', unit: '%RH' },
    ),
  },
  {
    title: 'Clocks go forward',
    kind: 'bars',
    answer: answer(listHours('2026-03-29'), (hour) => measured(toLoad(hour)), {
      metricType: 'gas',
      unit: 'm3',
    }),
  },
  {
    title: 'Clocks go back',
    kind: 'bars',
    answer: answer(listHours('2026-10-25'), (hour) => measured(toLoad(hour)), { metricType: 'heating' }),
  },
  {
    title: 'Carbon dioxide over a week',
    kind: 'lines',
    answer: answer(
      listHours('2026-11-09', 7),
      (hour) =>
        hour > 80 && hour < 95
          ? missing
          : withRange(measured(Math.round(520 + 380 * bump(hour % 24, 21, 3) + 60 * Math.sin(hour / 5))), 40),
      { ...CLIMATE, metricType: 'co2', unit: 'ppm' },
    ),
  },
  {
    title: 'Water over a month',
    kind: 'bars',
    answer: answer(
      listDays('2026-10-01', 31),
      (day) => (day === 30 ? partial(0.09) : measured(round(0.21 + 0.09 * Math.sin(day * 1.7)))),
      { metricType: 'water', unit: 'm3', granularity: 'daily', interval: 'P1D' },
    ),
  },
]

/** Winter is darkest; a few days are missing, and the last is partial. */
export const year = answer(
  listDays('2025-11-18', 365),
  (day) => {
    const value = round(7 + 4.5 * Math.cos((day - 45) / 58) + 1.8 * Math.sin(day * 2.4))
    if (day > 119 && day < 126) return missing
    if (day === 200) return suspect(value)
    if (day > 210 && day < 214) return estimated(value)
    return day === 364 ? partial(3) : measured(value)
  },
  { granularity: 'daily', interval: 'P1D' },
)

export const plan: WeeklySchedule = {
  type: 'weekly',
  default: { temperature: 16 },
  periods: [
    { days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '06:30', end: '08:30', target: { temperature: 21 } },
    {
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      start: '17:00',
      end: '22:30',
      target: { temperature: 20.5 },
    },
    { days: ['sat', 'sun'], start: '08:00', end: '23:00', target: { temperature: 21 } },
    { days: ['fri'], start: '22:30', end: '01:00', target: { temperature: 18 } },
  ],
}

function firstOf({ timestamps }: Windows, count: number): Windows {
  const toDateTime = timestamps[count]
  if (toDateTime === undefined) throw new RangeError(`There are only ${timestamps.length} windows`)
  return { timestamps: timestamps.slice(0, count), toDateTime }
}

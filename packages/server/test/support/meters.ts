import fc from 'fast-check'
import { toLocalDay } from '../../src/calendar/interval.ts'
import { METER } from '../../src/domain/telemetry/rollup/cell-kind.ts'
import type { CellSource } from '../../src/domain/telemetry/rollup/cells.ts'
import { type Contributor, deviceContributor } from '../../src/domain/telemetry/series/contribution.ts'
import { addDaysToMonths } from '../../src/domain/telemetry/rollup/month-row.ts'
import { type DayRollup, rollUpSeries } from '../../src/domain/telemetry/rollup/roll-up-days.ts'
import type { RollupRow } from '../../src/domain/telemetry/rollup/store.ts'
import type { Zone } from '../../src/calendar/zone.ts'
import { getLocalDays } from '../../src/calendar/local-day.ts'
import type { MeterCell } from '../../src/domain/telemetry/reading/cell.ts'
import { sliceAround, sliceWithin } from '../../src/domain/telemetry/reading/readings.ts'
import type { Readings } from '../../src/domain/telemetry/reading/packed-day.ts'
import { DELTA, REGISTER } from './small-site.ts'

const MINUTE = 60_000

/** Zones and dates with clock changes, a skipped day, an offset of 45 minutes, and nothing special. */
export const MOMENTS: readonly [zone: string, at: string][] = [
  ['UTC', '2026-03-01T00:00Z'],
  ['Europe/London', '2026-03-29T01:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Asia/Kathmandu', '2026-01-31T18:15Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
]

/** A generated meter; minutes are counted from the middle of the generated range. */
export const meter = fc.record({
  isDelta: fc.boolean(),
  maxPerHour: fc.option(fc.constantFrom(1, 20)),
  readings: fc.array(
    fc.record({
      minutes: fc.integer({ min: -40 * 1440, max: 40 * 1440 }),
      value: fc.oneof(
        fc.integer({ min: 0, max: 500_000 }).map((n) => n / 1000),
        fc.integer({ min: 1, max: 1000 }).map((n) => n / 3),
      ),
    }),
    { maxLength: 60 },
  ),
  /** When it was installed in the space and removed, in minutes. */
  stay: fc.option(fc.tuple(fc.integer({ min: -30 * 1440, max: 0 }), fc.integer({ min: 1, max: 30 * 1440 }))),
  /** Day up to which it is rolled up, if any. */
  rolledUpDays: fc.integer({ min: -45, max: 45 }),
})

export type DrawnMeter = typeof meter extends fc.Arbitrary<infer M> ? M : never

/** Creates meters with readings and, up to some day of each, rollups. */
export async function placeMeters(
  zone: Zone,
  middle: number,
  meters: readonly DrawnMeter[],
): Promise<{ source: CellSource; contributors: Contributor[] }> {
  const days = getLocalDays(zone)
  const all = meters.map(({ readings }) => toReadings(middle, readings))
  const dayRows = meters.map((): RollupRow[] => [])
  const monthRows = meters.map((): RollupRow[] => [])
  const source: CellSource = {
    siteUuid: '',
    days,
    rollups: {
      days: async (_site, id, first, last) => between(dayRows[id] ?? [], first, last),
      months: async (_site, id, first, last) => between(monthRows[id] ?? [], first, last),
      quarters: async () => [],
    },
    readings: {
      around: async (_site, id, span) => sliceAround(all[id] ?? NO_READINGS, span),
      within: async (_site, id, span) => sliceWithin(all[id] ?? NO_READINGS, span),
    },
  }
  const today = days.dayAt(middle)
  const contributors: Contributor[] = []
  for (const [seriesId, { isDelta, maxPerHour, stay, rolledUpDays }] of meters.entries()) {
    const spec = { ...(isDelta ? DELTA : REGISTER), maxPerHour }
    const range = { first: toLocalDay(today - 45), end: toLocalDay(today + rolledUpDays) }
    const rollups: DayRollup<MeterCell>[] =
      range.first < range.end ? await rollUpSeries(source, METER, { seriesId, spec }, range) : []
    dayRows[seriesId]?.push(...rollups.map(({ day, slots }) => ({ number: day, cells: slots })))
    monthRows[seriesId]?.push(...addDaysToMonths(METER, 1, new Map(), rollups))
    const placement = {
      spaceUuid: '',
      from: stay ? middle + stay[0] * MINUTE : Number.MIN_SAFE_INTEGER,
      to: stay ? middle + stay[1] * MINUTE : null,
    }
    contributors.push(deviceContributor({ seriesId, deviceUuid: '', spec, placement }))
  }
  return { source, contributors }
}

const NO_READINGS: Readings = { timestamps: [], values: [] }

function toReadings(middle: number, list: readonly { minutes: number; value: number }[]): Readings {
  const byTime = new Map(list.map(({ minutes, value }) => [middle + minutes * MINUTE, value]))
  const sorted = [...byTime].toSorted(([a], [b]) => a - b)
  return { timestamps: sorted.map(([at]) => at), values: sorted.map(([, value]) => value) }
}

const between = (rows: readonly RollupRow[], first: number, last: number): RollupRow[] =>
  rows.filter(({ number }) => number >= first && number <= last)

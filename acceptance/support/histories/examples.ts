import type { DeviceRecipe, Recipe } from './recipe.ts'
import { listClockChanges } from './zones.ts'

const hourMs = 3_600_000

const plain: DeviceRecipe = {
  metric: 'register',
  space: 0,
  seed: 1,
  stepMs: hourMs / 4,
  jitter: 0,
  count: 400,
  start: 0,
  decimals: 3,
  gapChance: 0,
  silentDays: 0,
  resetChance: 0,
  dipChance: 0,
  jumpChance: 0,
  hasRegisterSize: true,
  hasMaxPerHour: false,
  maxGapMinutes: 0,
  stamp: 'none',
  hasStep: false,
  below: null,
  medium: undefined,
  isCylinder: false,
  moves: [],
  order: 'late part',
}

/** Days too rare to be drawn at random: a skipped day, and a midnight that does not exist. */
export function rareDays(now: Temporal.Instant): [Recipe][] {
  const days: [timeZone: string, month: string][] = [
    ['Pacific/Apia', '2011-12'],
    ['Africa/Cairo', '2023-04'],
  ]
  return days.map(([timeZone, month]) => {
    const changes = listClockChanges(timeZone, now)
    const change = changes.findIndex((at) => at.toPlainDate().toPlainYearMonth().toString() === month)
    if (change < 0) throw new Error(`the clocks of ${timeZone} did not change in ${month}`)
    return [
      {
        timeZone,
        change,
        daysBefore: 2,
        daysAfter: 3,
        devices: [
          plain,
          { ...plain, seed: 2, jitter: 0.5, moves: [0.5] },
          { ...plain, seed: 3, metric: 'delta', space: 1, stepMs: hourMs / 2, count: 200 },
          { ...plain, seed: 4, metric: 'temperature', space: 1, order: 'shuffled' },
        ],
        arrival: { seed: 5, ways: [0, 3, 2], isLastLater: true, duplicates: 0.05, corrections: 0.05 },
      },
    ]
  })
}

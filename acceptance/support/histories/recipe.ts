import fc from 'fast-check'
import { zones } from './zones.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A few numbers that determine a whole history, so that a failure can be printed and repeated. */
export interface Recipe {
  timeZone: string
  /** Index of the zone's clock change in the middle of the range. */
  change: number
  daysBefore: number
  daysAfter: number
  devices: DeviceRecipe[]
  arrival: ArrivalRecipe
}

export interface DeviceRecipe {
  metric: 'register' | 'delta' | 'temperature' | 'occupancy'
  space: number
  seed: number
  stepMs: number
  /** Jitter of the instants: 0 keeps the step exactly, 1 is as irregular as possible. */
  jitter: number
  count: number
  /** Where in the range it begins, from 0 to 1. */
  start: number
  decimals: number
  gapChance: number
  /** Number of days without readings, halfway through. */
  silentDays: number
  resetChance: number
  dipChance: number
  jumpChance: number
  hasRegisterSize: boolean
  hasMaxPerHour: boolean
  /** Of a gauge; 0 declares none. */
  maxGapMinutes: number
  /** Of deltas: which end of the interval they are stamped with, and whether their step is declared. */
  stamp: 'none' | 'start' | 'end'
  hasStep: boolean
  /** Which of the devices before it, counted from the first, is the meter that includes this one; null if none. */
  below: number | null
  /** What a gauge measures; undefined leaves it to the type of its device. */
  medium: 'air' | 'water' | 'surface' | 'outdoor' | undefined
  isCylinder: boolean
  /** Where in the range it moves to the next space, from 0 to 1, ascending. */
  moves: number[]
  order: 'in time' | 'reversed' | 'shuffled' | 'late part'
}

export interface ArrivalRecipe {
  seed: number
  /** The ingest channel of each batch. */
  ways: number[]
  /** Whether the last batch arrives weeks later. */
  isLastLater: boolean
  duplicates: number
  corrections: number
}

const share = (max: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 1000 }).map((value) => (value / 1000) * max)

const device: fc.Arbitrary<DeviceRecipe> = fc.record({
  metric: fc.constantFrom('register', 'register', 'delta', 'temperature', 'occupancy'),
  space: fc.integer({ min: 0, max: 2 }),
  seed: fc.nat(),
  stepMs: fc.constantFrom(minute, 5 * minute, 15 * minute, 30 * minute, hour, 7 * hour, day, 3 * day),
  jitter: fc.oneof(fc.constant(0), share(1)),
  count: fc.integer({ min: 1, max: 400 }),
  start: fc.oneof(fc.constant(0), share(0.9), fc.constant(0.49)),
  decimals: fc.constantFrom(0, 1, 3, 6, 12),
  gapChance: fc.constantFrom(0, 0, 0.02, 0.2),
  silentDays: fc.constantFrom(0, 0, 0, 9, 40),
  resetChance: fc.constantFrom(0, 0, 0.03, 0.2),
  dipChance: fc.constantFrom(0, 0, 0.02, 0.1),
  jumpChance: fc.constantFrom(0, 0, 0.05),
  hasRegisterSize: fc.boolean(),
  hasMaxPerHour: fc.boolean(),
  maxGapMinutes: fc.constantFrom(0, 0, 1, 20, 240, 1440),
  stamp: fc.constantFrom('none', 'none', 'start', 'end'),
  hasStep: fc.boolean(),
  below: fc.oneof(fc.constant(null), fc.nat(3)),
  medium: fc.constantFrom(undefined, undefined, undefined, 'air', 'water', 'surface', 'outdoor'),
  isCylinder: fc.constantFrom(false, false, false, true),
  moves: fc.oneof(
    { weight: 3, arbitrary: fc.constant<number[]>([]) },
    {
      weight: 1,
      arbitrary: fc
        .uniqueArray(share(1), { minLength: 1, maxLength: 3 })
        .map((moves) => moves.toSorted((a, b) => a - b)),
    },
  ),
  order: fc.constantFrom('in time', 'reversed', 'shuffled', 'late part'),
})

export const recipe: fc.Arbitrary<Recipe> = fc.record({
  timeZone: fc.constantFrom<string>(...zones),
  change: fc.nat(),
  daysBefore: fc.integer({ min: 1, max: 20 }),
  daysAfter: fc.integer({ min: 1, max: 20 }),
  devices: fc.array(device, { minLength: 1, maxLength: 4 }),
  arrival: fc.record({
    seed: fc.nat(),
    ways: fc.array(fc.nat(), { minLength: 3, maxLength: 5 }),
    isLastLater: fc.boolean(),
    duplicates: fc.constantFrom(0, 0.05, 0.5),
    corrections: fc.constantFrom(0, 0.05, 0.3),
  }),
})

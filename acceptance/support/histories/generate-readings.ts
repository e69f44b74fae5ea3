import type { Reading } from '../clients/series.ts'
import type { MetricSpec } from './oracle.ts'
import { type Random, randomFrom } from './random.ts'
import type { DeviceRecipe } from './recipe.ts'

const dayMs = 86_400_000

export function toMetricSpec(recipe: DeviceRecipe): MetricSpec {
  const { metric, hasRegisterSize, hasMaxPerHour, maxGapMinutes, medium, stamp, hasStep, stepMs } = recipe
  if (metric !== 'register' && metric !== 'delta')
    return {
      kind: 'gauge',
      ...(maxGapMinutes > 0 ? { maxGapMinutes } : {}),
      ...(medium === undefined ? {} : { of: medium }),
    }
  const maxPerHour = hasMaxPerHour ? { maxPerHour: 6 } : {}
  if (metric === 'register')
    return { kind: metric, ...(hasRegisterSize ? { registerSize: 1000 } : {}), ...maxPerHour }
  return {
    kind: metric,
    ...maxPerHour,
    ...(stamp === 'none' ? {} : { stamp }),
    ...(hasStep ? { stepMinutes: Math.min(1440, stepMs / 60_000) } : {}),
  }
}

/** A device's readings from an instant on, in chronological order, none after `until`. */
export function generateReadings(recipe: DeviceRecipe, from: number, until: number): Reading[] {
  const random = randomFrom(recipe.seed)
  const readings: Reading[] = []
  let at = from
  let register = Math.floor(random.next() * 900)
  for (let index = 0; index < recipe.count && at < until; index += 1) {
    const value = generateValue(recipe, register, random)
    readings.push({ at, value })
    const elapsedMs = nextStep(recipe, random, index)
    at += elapsedMs
    register = nextRegister(recipe, register, elapsedMs, random)
  }
  return readings
}

function nextStep(
  { stepMs, jitter, gapChance, silentDays, count }: DeviceRecipe,
  random: Random,
  index: number,
) {
  const moved = stepMs * (1 + jitter * (random.next() * 1.9 - 0.95))
  const gap = random.chance(gapChance) ? stepMs * random.below(30) : 0
  const silence = index === Math.floor(count / 2) ? silentDays * dayMs : 0
  return Math.max(1, Math.round(moved + gap + silence))
}

function nextRegister(recipe: DeviceRecipe, register: number, elapsedMs: number, random: Random): number {
  if (random.chance(recipe.resetChance)) return random.next() * 3
  if (random.chance(recipe.dipChance)) return register * (0.3 + random.next() * 0.7)
  const jump = random.chance(recipe.jumpChance) ? 400 : 0
  // Below 6 an hour except for jumps; a register with whole numbers often does not change.
  const next = register + jump + (elapsedMs / 3_600_000) * random.next() * 5
  return recipe.hasRegisterSize ? next % 1000 : next
}

function generateValue({ metric, decimals }: DeviceRecipe, register: number, random: Random): number {
  const drawn = {
    register,
    delta: random.next() * 4,
    temperature: 20 + random.next() * 6 - (random.chance(0.05) ? 40 : 0),
    occupancy: random.below(9),
  }
  const value = drawn[metric]
  // Twelve means an unrounded number, which no short decimal represents.
  return decimals === 12 ? value : Math.floor(value * 10 ** decimals) / 10 ** decimals
}

import { byteAt, float32At, int32At } from '@portico/server/kernel/at'
import { type Grid, SLOTS_PER_DAY } from './grid.ts'
import { uniform } from './noise.ts'
import { DOING } from './residents.ts'

/** Spaces without residents: occupancy follows from opening hours, or from the residents at home. */
export type CommonArea = 'office' | 'corridor' | 'plant' | 'other'

/** Share of all residents who are at home and awake. */
export function awakeShare(grid: Grid, lives: readonly Uint8Array[]): Float32Array {
  const share = new Float32Array(grid.count)
  const each = 1 / Math.max(1, lives.length)
  for (const life of lives) {
    for (let index = 0; index < grid.count; index += 1) {
      if (byteAt(life, index) > DOING.asleep) share[index] = float32At(share, index) + each
    }
  }
  return share
}

export function peopleIn(
  grid: Grid,
  area: { kind: CommonArea; seed: number; capacity: number },
  awake: Float32Array,
): Uint8Array {
  const people = new Uint8Array(grid.count)
  for (let index = 0; index < grid.count; index += 1) {
    const wall = int32At(grid.wallSlots, index)
    const day = Math.floor(wall / SLOTS_PER_DAY)
    const slot = wall % SLOTS_PER_DAY
    const chance = uniform(area.seed, index)
    const share = float32At(awake, index)
    if (area.kind === 'office') people[index] = inOffice(grid, day, slot, chance)
    else if (area.kind === 'plant') people[index] = isInspection(grid, day, slot) ? 1 : 0
    else if (area.kind === 'corridor') people[index] = Math.floor(6 * share * chance)
    else people[index] = isOpen(slot) ? Math.floor(0.8 * area.capacity * share * chance * chance) : 0
  }
  return people
}

function inOffice(grid: Grid, day: number, slot: number, chance: number): number {
  const date = grid.days[day]
  if (!date || date.weekday === 6) return 0
  const { month, dayOfMonth, weekday } = date
  if ((month === 12 && dayOfMonth >= 24) || (month === 1 && dayOfMonth === 1)) return 0
  if (weekday === 5) return slot >= 20 && slot < 32 ? 1 + Math.floor(2 * chance) : 0
  if (slot < 17 || slot >= 36) return 0
  // Long queues at the office when students arrive in September.
  const visitors = month === 9 && dayOfMonth >= 12 ? 6 : 2.4
  return 2 + Math.floor(visitors * chance)
}

/** The plant room is inspected on Tuesday mornings. */
const isInspection = (grid: Grid, day: number, slot: number): boolean =>
  grid.days[day]?.weekday === 1 && (slot === 20 || slot === 21)

/** Laundry and common room are closed overnight. */
const isOpen = (slot: number): boolean => slot >= 14 && slot < 46

import { byteAt, int32At, numberAt } from '@portico/server/kernel/at'
import { toAcademicYear, inResidence, type Tenancy } from './academic-year.ts'
import { type Grid, SLOTS_PER_DAY } from './grid.ts'
import { hash, uniform } from './noise.ts'

/** Activity of a resident in a half hour. */
export const DOING = {
  away: 0,
  asleep: 1,
  inRoom: 2,
  inKitchen: 3,
  cooking: 4,
  showering: 5,
} as const

/** Half hours after midnight at which an evening ends: asleep, or back from a night out. */
interface Night {
  bedSlot: number
  outFromSlot: number | null
  backSlot: number
}

/** The activity of a room's resident in every half hour. The tenant of a room changes with the academic year. */
export function simulateLife(grid: Grid, roomSeed: number, tenancy: Tenancy): Uint8Array {
  const wall = new Uint8Array((grid.days.length + 1) * SLOTS_PER_DAY)
  const shares = inResidence(tenancy, grid.days)
  for (const [index, day] of grid.days.entries()) {
    const tenant = hash(roomSeed, toAcademicYear(day))
    const today = wall.subarray(index * SLOTS_PER_DAY, (index + 1) * SLOTS_PER_DAY)
    // One number per tenancy, not per day: the same resident is then always the first to leave and the last to return.
    if (uniform(tenant, 1) < numberAt(shares, index)) paintDay(today, tenant, index, day.weekday)
  }
  const doing = new Uint8Array(grid.count)
  for (let index = 0; index < grid.count; index += 1)
    doing[index] = byteAt(wall, int32At(grid.wallSlots, index))
  return doing
}

function paintDay(today: Uint8Array, tenant: number, index: number, weekday: number): void {
  const chance = (salt: number): number => uniform(tenant ^ Math.imul(index + 1, 0x9e3779b1), salt)
  const isWeekend = weekday >= 5
  const lateness = 3 * uniform(tenant, 2)
  const previous = simulateNight(tenant, index - 1, (weekday + 6) % 7)
  const tonight = simulateNight(tenant, index, weekday)
  const paint = (from: number, to: number, doing: number): void => {
    today.fill(doing, clamp(from, 0, SLOTS_PER_DAY), clamp(to, 0, SLOTS_PER_DAY))
  }

  paint(0, SLOTS_PER_DAY, DOING.inRoom)
  if (previous.outFromSlot !== null) paint(0, previous.backSlot, DOING.away)
  const asleepFrom = previous.outFromSlot === null ? previous.bedSlot - SLOTS_PER_DAY : previous.backSlot
  const wake = Math.round(13.5 + lateness + 3 * chance(1) + (isWeekend ? 3 : 0))
  paint(asleepFrom, wake, DOING.asleep)
  const showersLate = uniform(tenant, 3) < 0.25
  if (!showersLate && chance(2) < 0.92) paint(wake, wake + 1, DOING.showering)
  if (chance(3) < 0.6) paint(wake + 1, wake + 2, DOING.cooking)

  let home = wake + 2
  if (chance(4) < (isWeekend ? 0.5 : 0.84)) {
    const leave = wake + 2 + Math.floor(4 * chance(5))
    home = Math.max(leave + 3, Math.round(26 + 12 * chance(6)))
    paint(leave, home, DOING.away)
  } else if (chance(7) < 0.7) {
    const lunch = Math.max(wake + 3, 24 + Math.floor(5 * chance(8)))
    paint(lunch, lunch + 1, DOING.cooking)
  }

  const dinner = Math.max(home, Math.round(34.5 + 7 * chance(9)))
  let after = dinner
  if (chance(10) < 0.45 + 0.45 * uniform(tenant, 4)) {
    after = dinner + (chance(11) < 0.4 ? 2 : 1)
    paint(dinner, after, DOING.cooking)
    const stays = 0.2 + 0.5 * uniform(tenant, 5)
    if (chance(12) < stays) paint(after, after + 1 + Math.floor(5 * chance(13)), DOING.inKitchen)
  }
  if (showersLate) paint(after + 1, after + 2, DOING.showering)
  paint(tonight.bedSlot, SLOTS_PER_DAY, DOING.asleep)
  if (tonight.outFromSlot !== null) paint(tonight.outFromSlot, SLOTS_PER_DAY, DOING.away)
  paintTrip(paint, tenant, index, weekday)
}

/** Some weekends are spent elsewhere: from Friday afternoon to Sunday evening. */
function paintTrip(
  paint: (from: number, to: number, doing: number) => void,
  tenant: number,
  index: number,
  weekday: number,
): void {
  if (weekday < 4 || uniform(tenant ^ 0x51ed270b, index - weekday) > 0.3 * uniform(tenant, 6)) return
  const from = weekday === 4 ? 34 : 0
  paint(from, weekday === 6 ? 38 : SLOTS_PER_DAY, DOING.away)
}

function simulateNight(tenant: number, index: number, weekday: number): Night {
  const chance = (salt: number): number => uniform(tenant ^ Math.imul(index + 7, 0x85ebca77), salt)
  // Wednesday is sports night.
  const outing = weekday === 4 || weekday === 5 ? 0.32 : weekday === 2 ? 0.2 : 0.05
  return {
    bedSlot: Math.round(45.5 + 3 * uniform(tenant, 2) + 3 * chance(1)),
    outFromSlot: chance(2) < outing ? 41 + Math.floor(4 * chance(3)) : null,
    backSlot: 1 + Math.floor(6 * chance(4)),
  }
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

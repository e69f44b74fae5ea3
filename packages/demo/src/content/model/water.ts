import { at, byteAt, float32At, int32At, numberAt } from '@portico/server/kernel/at'
import { SLOTS_PER_DAY } from './grid.ts'
import { uniform } from './noise.ts'
import type { Premises, Room } from './premises.ts'
import { DOING } from './residents.ts'

/** Litres in the half hour that starts at an index. */
type Litres = (index: number) => number

type PerDoing = readonly number[]

const perDoing = (litres: Record<keyof typeof DOING, number>): PerDoing => {
  const table: number[] = []
  for (const [doing, slot] of Object.entries(DOING)) table[slot] = litres[doing as keyof typeof DOING]
  return table
}

const COLD = perDoing({ away: 0, asleep: 0.3, inRoom: 2.2, inKitchen: 1, cooking: 6, showering: 24 })
const HOT = perDoing({ away: 0, asleep: 0, inRoom: 0.6, inKitchen: 0.5, cooking: 4, showering: 31 })

const WASH_LITRES = 28

export const coldLitres = (lives: readonly Uint8Array[]): Litres => drawn(lives, COLD)

export const hotLitres = (lives: readonly Uint8Array[]): Litres => drawn(lives, HOT)

function drawn(lives: readonly Uint8Array[], table: PerDoing): Litres {
  return (index) => {
    let litres = 0
    for (const life of lives) litres += numberAt(table, byteAt(life, index))
    return litres
  }
}

export function laundryLitres(premises: Premises, room: Room): Litres {
  const washes = countWashes(premises, room)
  return (index) => washes(index) * WASH_LITRES
}

/** Washing machines in use: in evenings and at weekends, by the number of residents at home. */
export function countWashes({ grid, awake, lives }: Premises, room: Room): (index: number) => number {
  return (index) => {
    const wall = int32At(grid.wallSlots, index)
    const slot = wall % SLOTS_PER_DAY
    if (slot < 14 || slot >= 45) return 0
    const isWeekend = at(grid.days, Math.floor(wall / SLOTS_PER_DAY)).weekday >= 5
    const wanted = float32At(awake, index) * lives.length * (isWeekend ? 0.052 : 0.034)
    return Math.min(6, Math.floor(2 * wanted * uniform(room.seed, index)))
  }
}

import { at, byteAt, float32At, int32At, numberAt } from '@portico/server/kernel/at'
import { SLOTS_PER_DAY } from './grid.ts'
import type { Flow, Instrument } from './instrument.ts'
import { uniform } from './noise.ts'
import { DOING } from './residents.ts'
import { countWashes } from './water.ts'

/** Average power of one resident in a half hour, W; cooking depends on the meal. */
const HOME_W: readonly number[] = [6, 16, 112, 90, 0, 300]
const DESK_W: readonly number[] = [3, 6, 72, 8, 5, 20]

const BREAKFAST_W = 240
const LUNCH_W = 540
const DINNER_W = 1180

/** kWh in the half hour that starts at an index. */
export function electricityFlow(meter: Instrument): Flow {
  const { deviceType, room } = meter
  if (deviceType === 'smartPlug') return deskFlow(meter)
  if (deviceType === 'heater') return heaterFlow(meter)
  if (room.space.spaceType === 'livingKitchenDining') return homeFlow(meter, 60 + 16 * room.lives.length)
  if (room.space.spaceType === 'studio') return homeFlow(meter, 62)
  return landlordFlow(meter)
}

function homeFlow({ premises, room, seed }: Instrument, baseW: number): Flow {
  const { grid, weather } = premises
  const residents = room.lives.map((life, person) => ({
    life,
    appetite: 0.75 + 0.85 * uniform(seed, person + 1),
  }))
  return (index) => {
    const slot = int32At(grid.wallSlots, index) % SLOTS_PER_DAY
    const cookingW = slot < 22 ? BREAKFAST_W : slot < 33 ? LUNCH_W : DINNER_W
    const lampsW = isDark(float32At(weather.sun, index)) ? 24 : 0
    let watts = baseW
    for (const { life, appetite } of residents) {
      const doing = byteAt(life, index)
      const use = doing === DOING.cooking ? cookingW : numberAt(HOME_W, doing)
      watts += (use + (doing > DOING.asleep ? lampsW : 0)) * appetite
    }
    return watts / 2000
  }
}

function deskFlow({ room, seed }: Instrument): Flow {
  const appetite = 0.5 + 1.4 * uniform(seed, 1)
  const [life] = room.lives
  return (index) => (numberAt(DESK_W, life ? byteAt(life, index) : DOING.away) * appetite) / 2000
}

/** A panel heater: on while the room is occupied and cool. */
function heaterFlow({ premises: { weather }, room }: Instrument): Flow {
  return (index) => {
    const isCool = weather.isHeating[index] === 1 && at(room.temperature, index) < 2050
    return byteAt(room.people, index) > 0 && isCool ? 0.42 : 0.001
  }
}

/** Lighting, pumps and machines of the common areas. */
function landlordFlow({ premises, room }: Instrument): Flow {
  const { weather } = premises
  const people = (index: number): number => byteAt(room.people, index)
  const { spaceType } = room.space
  if (spaceType === 'office') {
    return (index) =>
      (130 + people(index) * 125 + (people(index) > 0 ? 160 : 0)) / 2000 +
      float32At(room.coolingKwh, index) / 3.1
  }
  if (spaceType === 'corridor') {
    return (index) => (70 + (isDark(float32At(weather.sun, index)) ? 110 : 0) + people(index) * 22) / 2000
  }
  if (spaceType === 'plant') return (index) => (520 + (weather.isHeating[index] === 1 ? 640 : 0)) / 2000
  const washes = countWashes(premises, room)
  return (index) => (60 + people(index) * 25) / 2000 + washes(index) * 0.62
}

const isDark = (sun: number): boolean => sun < 0.06

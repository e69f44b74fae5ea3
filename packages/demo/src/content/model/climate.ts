import { byteAt, float32At, int32At } from '@portico/server/kernel/at'
import { type Grid, SLOTS_PER_DAY } from './grid.ts'
import type { Weather } from './weather.ts'

/**
 * Thermal model of a room: losses to the outside, gains from people and sun, and a radiator controlled by its valve.
 */
export interface RoomClimate {
  areaM2: number
  /** People in each half hour. */
  people: Uint8Array
  /** Heat of one person and their appliances, W. */
  personW: number
  comfort: number
  setback: number
  /** Half hours of the day in which the comfort temperature is required. */
  isComfortSlot: (slot: number) => boolean
  /** Cooled above this temperature while occupied; without it, people open windows. */
  coolAbove?: number
}

export interface ClimateResult {
  /** Hundredths of a degree. */
  temperature: Int16Array
  /** kWh in each half hour. */
  heatKwh: Float32Array
  coolingKwh: Float32Array
}

/** A room that is empty for 20 hours may cool further. */
const EMPTY_SLOTS = 40
const EMPTY_TARGET = 15.5
const FEELS_WARM = 23.4

const LOSS_W_PER_K_M2 = 1.1
const OPEN_WINDOW_W_PER_K_M2 = 4
const MASS_WH_PER_K_M2 = 75
const RADIATOR_W_PER_M2 = 65
const VALVE_W_PER_K_M2 = 50
const PIPES_W_PER_M2 = 1.2
const SUN_W_PER_M2 = 13

export function simulateClimate(grid: Grid, weather: Weather, room: RoomClimate): ClimateResult {
  const { areaM2, people } = room
  const temperature = new Int16Array(grid.count)
  const heatKwh = new Float32Array(grid.count)
  const coolingKwh = new Float32Array(grid.count)
  let degrees = 21
  let emptySlots = 0
  for (let index = 0; index < grid.count; index += 1) {
    const present = byteAt(people, index)
    emptySlots = present > 0 ? 0 : emptySlots + 1
    const outdoor = float32At(weather.outdoor, index)
    const sunlight = float32At(weather.sun, index) * (1 - 0.75 * float32At(weather.cloud, index))
    const gainsW = areaM2 * (PIPES_W_PER_M2 + SUN_W_PER_M2 * sunlight) + present * room.personW
    const isWarm = degrees > FEELS_WARM && present > 0
    const isOpen = isWarm && room.coolAbove === undefined && outdoor < degrees
    const lossW = areaM2 * (LOSS_W_PER_K_M2 + (isOpen ? OPEN_WINDOW_W_PER_K_M2 : 0)) * (degrees - outdoor)

    const slot = int32At(grid.wallSlots, index) % SLOTS_PER_DAY
    const wanted =
      emptySlots > EMPTY_SLOTS ? EMPTY_TARGET : room.isComfortSlot(slot) ? room.comfort : room.setback
    const demandW = weather.isHeating[index] === 1 ? (wanted - degrees) * VALVE_W_PER_K_M2 : 0
    const heatW = areaM2 * Math.min(RADIATOR_W_PER_M2, Math.max(0, demandW))
    const above = room.coolAbove === undefined || present === 0 ? 0 : degrees - room.coolAbove
    const coolingW = areaM2 * Math.min(90, Math.max(0, above * 60))

    heatKwh[index] = heatW / 2000
    coolingKwh[index] = coolingW / 2000
    degrees += (gainsW + heatW - lossW - coolingW) / 2 / (areaM2 * MASS_WH_PER_K_M2)
    temperature[index] = Math.round(degrees * 100)
  }
  return { temperature, heatKwh, coolingKwh }
}

import type { Premises, Room } from './premises.ts'

/** A device as the model sees it. */
export interface Instrument {
  premises: Premises
  room: Room
  deviceType: string
  hasWeakBattery: boolean
  seed: number
}

/** Quantity that a meter counts in the half hour that starts at an index, in the metric's unit. */
export type Flow = (index: number) => number

/** A sensor's value at an index. */
export type Gauge = (index: number) => number

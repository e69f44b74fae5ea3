import type { Simulation } from './sandbox.ts'

/** A wish that whoever plays the device has not heard yet. */
export interface SimulationRequest {
  deviceUuid: string
  simulation: Simulation
  /** Each is newer than the one before it. */
  number: number
}

/** How simulated devices are to behave, told by any instance to the one that plays them. */
export interface SimulationStore {
  /** These are played from now on. What was chosen for them before is to be heard again. */
  register(siteUuid: string, deviceUuids: readonly string[]): Promise<void>
  /** The number of the wish; undefined for a device that nobody plays. */
  request(siteUuid: string, deviceUuid: string, simulation: Simulation): Promise<number | undefined>
  listPending(siteUuid: string): Promise<SimulationRequest[]>
  acknowledge(siteUuid: string, deviceUuid: string, number: number): Promise<void>
  isAcknowledged(siteUuid: string, deviceUuid: string, number: number): Promise<boolean>
}

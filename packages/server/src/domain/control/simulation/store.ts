import type { Simulation } from './sandbox.ts'

/** A request that the instance that simulates the device has not applied yet. */
export interface SimulationRequest {
  deviceUuid: string
  simulation: Simulation
  /** Increases with each request. */
  number: number
}

/** Passes simulation requests from any instance to the one that simulates the device. */
export interface SimulationStore {
  /** Registers simulated devices. Their last requests become pending again. */
  register(siteUuid: string, deviceUuids: readonly string[]): Promise<void>
  /** The number of the request; undefined for a device that is not simulated. */
  request(siteUuid: string, deviceUuid: string, simulation: Simulation): Promise<number | undefined>
  listPending(siteUuid: string): Promise<SimulationRequest[]>
  acknowledge(siteUuid: string, deviceUuid: string, number: number): Promise<void>
  isAcknowledged(siteUuid: string, deviceUuid: string, number: number): Promise<boolean>
}

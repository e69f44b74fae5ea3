import { AppError } from '../../../kernel/errors.ts'

export const SIMULATED_MODES = ['online', 'offline', 'reject', 'delay'] as const

export type SimulatedMode = (typeof SIMULATED_MODES)[number]

/** How a simulated device behaves. */
export type Simulation =
  | { mode: Exclude<SimulatedMode, 'delay'>; delaySeconds: null }
  | { mode: 'delay'; delaySeconds: number }

/** Simulates devices. */
export interface DeviceSimulator {
  /** Effective when it resolves; false for a device that is not simulated. */
  simulate(siteUuid: string, deviceUuid: string, simulation: Simulation): Promise<boolean>
}

/** Lets partners test how their commands fare with devices that are offline, reject or delay. */
export interface Sandbox {
  /** Throws if the device is not simulated. */
  simulate(siteUuid: string, deviceUuid: string, simulation: Simulation): Promise<void>
  setSimulator(simulator: DeviceSimulator): void
}

export const notSimulated = (): AppError =>
  new AppError(
    'conflict',
    'This device is not simulated: only the devices of the demo (portico serve --demo) are.',
  )

export function createSandbox(simulator?: DeviceSimulator): Sandbox {
  return {
    async simulate(siteUuid, deviceUuid, simulation) {
      if (await simulator?.simulate(siteUuid, deviceUuid, simulation)) return
      throw notSimulated()
    },
    setSimulator(next) {
      simulator = next
    },
  }
}

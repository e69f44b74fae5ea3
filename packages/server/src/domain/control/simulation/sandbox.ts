import { AppError } from '../../../kernel/errors.ts'

export const SIMULATED_MODES = ['online', 'offline', 'reject', 'delay'] as const

export type SimulatedMode = (typeof SIMULATED_MODES)[number]

/** How a simulated device behaves. */
export type Simulation =
  | { mode: Exclude<SimulatedMode, 'delay'>; delaySeconds: null }
  | { mode: 'delay'; delaySeconds: number }

/** Plays devices as if they were real. */
export interface DeviceSimulator {
  /** Holds when it resolves; false for a device that it does not play. */
  simulate(siteUuid: string, deviceUuid: string, simulation: Simulation): Promise<boolean>
}

/** How a partner tries out what a device may do to its commands. */
export interface Sandbox {
  /** Throws where nobody plays the device. */
  simulate(siteUuid: string, deviceUuid: string, simulation: Simulation): Promise<void>
  setSimulator(player: DeviceSimulator): void
}

export function createSandbox(player?: DeviceSimulator): Sandbox {
  return {
    async simulate(siteUuid, deviceUuid, simulation) {
      if (await player?.simulate(siteUuid, deviceUuid, simulation)) return
      throw new AppError(
        'conflict',
        'No simulator plays this device: only those of the demo (portico serve --demo) are simulated.',
      )
    },
    setSimulator(next) {
      player = next
    },
  }
}

import type { Config } from '../config/config.ts'
import type { SimulationStore } from '../domain/control/simulation/store.ts'
import type { Services } from '../http/services.ts'
import type { Store } from '../store/store.ts'

/** Reports the completed share of a site's history, from 0 to 1. */
export type Progress = (siteName: string, share: number) => void

export interface DemoContext {
  config: Config
  /** The port of the embedded broker. */
  mqttPort: number
  services: Services
  store: Store
  progress: Progress
  /** Aborted when the server is to stop. */
  stopping: AbortSignal
}

export interface PreparedDemo {
  /** Text to print. */
  text: string
  /** The client ids of its operator and its partner, for links to the console. */
  clientIds?: { operator: string; partner: string }
  /** Simulates the devices until the returned function is called. Undefined if the store does not hold a demo. */
  startSimulator?: ((simulations?: SimulationStore) => Promise<() => Promise<void>>) | undefined
}

/** The demo as the server sees it. The command passes it to `serve`, so the server does not depend on the demo. */
export interface Demo {
  prepare(context: DemoContext): Promise<PreparedDemo>
}

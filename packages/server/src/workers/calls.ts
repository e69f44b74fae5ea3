import type { Config } from '../config/config.ts'
import type { Simulation } from '../device/sandbox.ts'
import type { MetricJson } from '../http-metrics.ts'
import type { Limits } from '../limit/limits.ts'
import type { HandWrite } from '../store/open.ts'

export interface WorkerStart {
  /** From 1; its lines in the log carry it. */
  number: number
  config: Config
  port: number
}

export type Figures = MetricJson[]

/** What a worker lets the first process do. */
export interface WorkerCalls {
  /** Resolves when it listens. */
  start(start: WorkerStart): Promise<void>
  /** The store is migrated: requests are answered from now on. A worker that cannot do so ends. */
  open(): Promise<void>
  forget(): void
  flushUsage(): Promise<void>
  figures(): Promise<Figures>
  /** Resolves when the last request under way was answered and everything is stored. */
  stop(): Promise<void>
}

/** What the first process does for its workers. */
export interface FirstCalls {
  /** The store is migrated. */
  isPrepared(): boolean
  write: HandWrite
  consumeLimit: Limits['consume']
  refundLimit: Limits['refund']
  kick(): void
  simulate(siteUuid: string, deviceUuid: string, simulation: Simulation): Promise<void>
  forgetElsewhere(): Promise<void>
  flushUsageElsewhere(): Promise<void>
  whyNotReady(): Promise<readonly string[]>
}

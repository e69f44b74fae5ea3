import type { Config } from '../../config/config.ts'
import type { Simulation } from '../../domain/control/simulation/sandbox.ts'
import type { MetricJson } from '../../kernel/http-metrics.ts'
import type { Limits } from '../../domain/identity/rate-limit/limits.ts'
import type { ForwardWrite } from '../../store/open.ts'

export interface WorkerOptions {
  /** From 1; its lines in the log carry it. */
  number: number
  config: Config
  port: number
}

export type MetricsSnapshot = MetricJson[]

/** What a worker lets the first process do. */
export interface WorkerApi {
  /** Resolves when it listens. */
  start(start: WorkerOptions): Promise<void>
  /** The store is migrated: requests are answered from now on. A worker that cannot do so ends. */
  open(): Promise<void>
  forget(): void
  flushUsage(): Promise<void>
  collectMetrics(): Promise<MetricsSnapshot>
  /** Resolves when the last request under way was answered and everything is stored. */
  stop(): Promise<void>
}

/** What the first process does for its workers. */
export interface PrimaryApi {
  /** The store is migrated. */
  isPrepared(): boolean
  write: ForwardWrite
  consumeLimit: Limits['consume']
  refundLimit: Limits['refund']
  notify(): void
  simulate(siteUuid: string, deviceUuid: string, simulation: Simulation): Promise<void>
  invalidateSiblings(): Promise<void>
  flushSiblingUsage(): Promise<void>
  whyNotReady(): Promise<readonly string[]>
}

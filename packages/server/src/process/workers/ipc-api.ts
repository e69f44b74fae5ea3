import type { Config } from '../../config/config.ts'
import type { Simulation } from '../../domain/control/simulation/sandbox.ts'
import type { MetricJson } from '../../kernel/http-metrics.ts'
import type { Limits } from '../../domain/identity/rate-limit/limits.ts'
import type { ForwardWrite } from '../../store/open.ts'
import type { Ports } from '../ports.ts'

export interface WorkerOptions {
  /** Worker number, from 1; part of its log lines. */
  number: number
  config: Config
  ports: Ports
}

export type MetricsSnapshot = MetricJson[]

/** Calls that a worker accepts from the primary. */
export interface WorkerApi {
  /** Resolves when the worker listens. */
  start(start: WorkerOptions): Promise<void>
  /** The store is migrated: the worker becomes ready, or exits if it cannot. */
  open(): Promise<void>
  forget(): void
  flushUsage(): Promise<void>
  collectMetrics(): Promise<MetricsSnapshot>
  countReadings(): Promise<number>
  /** Resolves when the last request has been answered and everything is stored. */
  stop(): Promise<void>
}

/** Calls that the primary accepts from its workers. */
export interface PrimaryApi {
  /** Whether the store is migrated. */
  isPrepared(): boolean
  write: ForwardWrite
  consumeLimit: Limits['consume']
  refundLimit: Limits['refund']
  notify(): void
  notifyOfEvents(): void
  simulate(siteUuid: string, deviceUuid: string, simulation: Simulation): Promise<void>
  invalidateSiblings(): Promise<void>
  flushSiblingUsage(): Promise<void>
  whyNotReady(): Promise<readonly string[]>
  countReadings(): Promise<number>
}

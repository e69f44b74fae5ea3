import type { Config } from '../../config/config.ts'
import { addCounts } from '../../domain/telemetry/ingest/import-counts.ts'
import type { ImportReadings } from '../../domain/telemetry/ingest/reading-import.ts'
import type { ComputeThread } from '../../http/v2/aggregate/compute-thread.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { ForwardWrite } from '../../store/open.ts'
import { ingestCounter } from '../ingest-counter.ts'
import { createDamageReporter } from '../report-store.ts'
import { createComputeThread } from './compute.ts'
import { createIngestThread } from './ingest.ts'
import type { ThreadHost } from './thread-store.ts'

/** The threads of a process, each started when it is first needed. */
export interface Threads {
  compute: ComputeThread
  importReadings: ImportReadings
  close(): Promise<void>
}

export function createThreads(
  config: Config,
  log: Log,
  metrics: Metrics,
  events: {
    write: ForwardWrite
    onEvents(siteUuid: string): void
    onExternalFailure(error: Error): void
  },
): Threads {
  const host: ThreadHost = {
    write: events.write,
    notifyOfEvents: events.onEvents,
    reportDamage: createDamageReporter(metrics, log),
    reportExternalFailure: (message) => events.onExternalFailure(new Error(message)),
  }
  const onFailure = (err: Error): void => {
    log.error({ err }, 'a thread has failed; the next request starts another')
  }
  const compute = createComputeThread(config, host, onFailure)
  const counter = ingestCounter(metrics, 'http')
  const ingest = createIngestThread(
    config,
    { ...host, count: (counts) => addCounts(counter, counts) },
    onFailure,
  )
  return {
    compute,
    importReadings: ingest.importReadings,
    async close() {
      await Promise.all([compute.close(), ingest.close()])
    },
  }
}

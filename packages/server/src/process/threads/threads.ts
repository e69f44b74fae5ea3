import type { Config } from '../../config/config.ts'
import { addCounts } from '../../domain/telemetry/ingest/import-counts.ts'
import type { ImportReadings } from '../../domain/telemetry/ingest/reading-import.ts'
import type { ComputeThread } from '../../http/v2/aggregate/compute-thread.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { MessageIngest } from '../../mqtt/handlers/forward-readings.ts'
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
  messages: MessageIngest
  close(): Promise<void>
}

export function createThreads(
  config: Config,
  log: Log,
  metrics: Metrics,
  callbacks: {
    write: ForwardWrite
    onEvents(siteUuid: string): void
    onExternalFailure(error: Error): void
  },
): Threads {
  const host: ThreadHost = {
    write: callbacks.write,
    notifyOfEvents: callbacks.onEvents,
    reportDamage: createDamageReporter(metrics, log),
    reportExternalFailure: (message) => callbacks.onExternalFailure(new Error(message)),
  }
  const onFailure = (err: Error): void => {
    log.error({ err }, 'a thread has failed; the next request starts a new one')
  }
  const compute = createComputeThread(config, host, onFailure, metrics.http.total)
  const counters = { http: ingestCounter(metrics, 'http'), mqtt: ingestCounter(metrics, 'mqtt') }
  const ingest = createIngestThread(
    config,
    {
      ...host,
      count: (source, counts) => addCounts(counters[source], counts),
      logError: (fields, message) => log.error(fields, message),
    },
    onFailure,
  )
  return {
    compute,
    importReadings: ingest.importReadings,
    messages: ingest.messages,
    async close() {
      await Promise.all([compute.close(), ingest.close()])
    },
  }
}

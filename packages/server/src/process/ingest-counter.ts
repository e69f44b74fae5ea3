import { type IngestCounter, STORED_RESULTS } from '../domain/telemetry/ingest/import-counts.ts'
import type { Metrics } from '../kernel/metrics.ts'

/** Counts the readings that arrive over HTTP or MQTT, or from files that a command imports. */
export const ingestCounter = (
  { readings, readingsRejected }: Pick<Metrics, 'readings' | 'readingsRejected'>,
  source: 'http' | 'mqtt' | 'file',
): IngestCounter => ({
  stored(added) {
    for (const result of STORED_RESULTS) readings.inc({ source, result }, added[result])
  },
  rejected: (reason, count = 1) => readingsRejected.inc({ source, reason }, count),
})

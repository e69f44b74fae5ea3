import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { createHttpMetrics, type MetricJson } from './http-metrics.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Work that waits for the store's background maintenance. */
export interface Backlog {
  /** Readings that are not in packed days yet. */
  journalReadings: number
  /** Spans of days in the rollup queue. */
  queuedRollups: number
}

export function createMetrics(backlog?: () => Promise<Backlog>) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  if (backlog) addBacklog(registry, backlog)
  const http = createHttpMetrics()
  return {
    contentType: registry.contentType,
    /** The Prometheus text format. */
    toText: async (): Promise<string> =>
      `${await registry.metrics()}\n${await toMetricsText([http.toJson()])}`,
    toJson: async (): Promise<MetricJson[]> => [...(await registry.getMetricsAsJSON()), ...http.toJson()],
    http,
    connectionsClosed: new Counter({
      name: 'portico_http_connections_closed_total',
      help: 'HTTP connections closed by the server because they exceeded a limit, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    tokensIssued: new Counter({
      name: 'portico_tokens_issued_total',
      help: 'Access tokens issued.',
      registers,
    }),
    tokensRefused: new Counter({
      name: 'portico_tokens_refused_total',
      help: 'Token requests denied, by error code.',
      labelNames: ['code'],
      registers,
    }),
    damagedRows: new Counter({
      name: 'portico_store_damaged_rows_total',
      help: 'Stored rows that failed their checksum or were missing, by table. Each process counts a row once.',
      labelNames: ['table'],
      registers,
    }),
    maintenanceFailures: new Counter({
      name: 'portico_maintenance_failures_total',
      help: 'Failures of background maintenance of the store, by task.',
      labelNames: ['task'],
      registers,
    }),
    mqttMessages: new Counter({
      name: 'portico_mqtt_messages_total',
      help: 'MQTT messages received, by kind of topic.',
      labelNames: ['kind'],
      registers,
    }),
    mqttRejected: new Counter({
      name: 'portico_mqtt_rejected_total',
      help: 'MQTT messages rejected entirely or in part, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    mqttClients: new Gauge({
      name: 'portico_mqtt_clients',
      help: 'Clients connected to the embedded broker.',
      registers,
    }),
    mqttExternalConnected: new Gauge({
      name: 'portico_mqtt_external_connected',
      help: 'Whether the server is connected to the external broker: 1 or 0.',
      // With a label, the metric is absent instead of 0 if no external broker is configured.
      labelNames: ['broker'],
      registers,
    }),
    limitsShared: new Gauge({
      name: 'portico_limits_shared',
      help: 'Whether rate-limit counters are shared with other instances: 1, or 0 while this one counts alone.',
      // With a label, the metric is absent instead of 0 if no service for sharing is configured.
      labelNames: ['by'],
      registers,
    }),
  }
}

/** The metrics of several processes, added up, in the Prometheus text format. */
export const toMetricsText = (metrics: MetricJson[][]): Promise<string> =>
  AggregatorRegistry.aggregate(metrics).metrics()

/** Gauges computed at each scrape. A store that cannot be read is reported elsewhere. */
function addBacklog(registry: Registry, backlog: () => Promise<Backlog>): void {
  const add = (name: string, help: string, pick: (backlog: Backlog) => number): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const now = await backlog().catch(() => undefined)
        if (now) gauge.set(pick(now))
      },
    })
  }
  add(
    'portico_journal_readings',
    'Readings in the journal that are not compacted into packed days yet.',
    ({ journalReadings }) => journalReadings,
  )
  add(
    'portico_rollup_queue_entries',
    'Entries in the rollup queue: spans of days of one series.',
    ({ queuedRollups }) => queuedRollups,
  )
}

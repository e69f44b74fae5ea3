import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { addEventLoopDelay } from './event-loop-delay.ts'
import { createHttpMetrics, type MetricJson } from './http-metrics.ts'
import { createPartnerLabels, createPartnerMetrics } from './partner-metrics.ts'
import { type StoreFigures, toStoreMetrics } from './store-metrics.ts'

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  addEventLoopDelay(registry)
  const http = createHttpMetrics()
  const partners = createPartnerMetrics()
  const labelPartners = createPartnerLabels()
  let loadStoreFigures: () => Promise<StoreFigures | undefined> = async () => undefined

  const readings = new Counter({
    name: 'portico_readings_total',
    help: 'Valid readings stored, by source (http, mqtt, file) and result (accepted, replaced, unchanged).',
    labelNames: ['source', 'result'],
    registers,
  })

  /** A store that cannot be read has no metrics; it is reported elsewhere. */
  const readStore = async (): Promise<MetricJson[]> => {
    const figures = await loadStoreFigures().catch(() => undefined)
    return figures ? toStoreMetrics(figures) : []
  }
  return {
    contentType: registry.contentType,
    /** The Prometheus text format. */
    async toText(): Promise<string> {
      const store = await readStore()
      const own = [...http.toJson(), ...labelPartners(partners.toJson()), ...store]
      return `${await registry.metrics()}\n${await toMetricsText([own])}`
    },
    async toJson(): Promise<MetricJson[]> {
      const store = await readStore()
      return [...(await registry.getMetricsAsJSON()), ...http.toJson(), ...partners.toJson(), ...store]
    },
    /** Adds the state of the store, which is loaded when the metrics are read. One process of a server does this. */
    addStore(load: () => Promise<StoreFigures | undefined>): void {
      loadStoreFigures = load
    },
    http,
    partners,
    readings,
    /** Readings that were accepted, from any source. */
    async countReadings(): Promise<number> {
      const { values } = await readings.get()
      return values.reduce((sum, { labels, value }) => (labels.result === 'accepted' ? sum + value : sum), 0)
    },
    readingsRejected: new Counter({
      name: 'portico_readings_rejected_total',
      help: 'Readings rejected, by source and reason.',
      labelNames: ['source', 'reason'],
      registers,
    }),
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
    webhookDeliveries: new Counter({
      name: 'portico_webhook_deliveries_total',
      help: 'Requests to the endpoints of webhooks, by result (delivered, failed).',
      labelNames: ['result'],
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

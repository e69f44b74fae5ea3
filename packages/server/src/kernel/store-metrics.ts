import type { MetricJson } from './http-metrics.ts'

/** The state of the store, which all processes and instances share. */
export interface StoreFigures {
  journalReadings: number
  queuedRollups: number
  rollupLagMs: number
  devicesByStatus: Record<string, number>
  series: number
  unfinishedCommands: { state: string; count: number; oldestMs: number }[]
  finishedCommands: { state: string; count: number }[]
  outboxMessages: number
  outboxOldestMs: number
  webhooks: Record<string, number>
  waitingDeliveries: number
  deliveryOldestMs: number
  bytes: number
  /** Undefined if the database is on another machine. */
  freeBytes: number | undefined
}

type Value = MetricJson['values'][number]

const gauge = (name: string, help: string, values: number | Value[]): MetricJson => ({
  name,
  help,
  type: 'gauge',
  aggregator: 'max',
  values: typeof values === 'number' ? [{ labels: {}, value: values }] : values,
})

export const toStoreMetrics = (figures: StoreFigures): MetricJson[] => [
  gauge(
    'portico_journal_readings',
    'Readings in the journal that are not compacted into packed days yet.',
    figures.journalReadings,
  ),
  gauge(
    'portico_rollup_queue_entries',
    'Entries in the rollup queue: spans of days of one series.',
    figures.queuedRollups,
  ),
  gauge(
    'portico_rollup_lag_seconds',
    'How long the oldest due entry of the rollup queue has been due; 0 if none is due.',
    figures.rollupLagMs / 1_000,
  ),
  gauge('portico_series', 'Series of the devices in the inventory.', figures.series),
  gauge(
    'portico_devices',
    'Devices in the inventory, by status.',
    Object.entries(figures.devicesByStatus).map(([status, value]) => ({ labels: { status }, value })),
  ),
  gauge(
    'portico_commands_unfinished',
    'Commands that are not in a final state, by state.',
    figures.unfinishedCommands.map(({ state, count: value }) => ({ labels: { state }, value })),
  ),
  gauge(
    'portico_commands_unfinished_oldest_seconds',
    'Age of the oldest command that is not in a final state, by state.',
    figures.unfinishedCommands.map(({ state, oldestMs }) => ({ labels: { state }, value: oldestMs / 1_000 })),
  ),
  gauge(
    'portico_commands_finished_last_hour',
    'Commands that reached a final state within the last hour, by state.',
    figures.finishedCommands.map(({ state, count: value }) => ({ labels: { state }, value })),
  ),
  gauge(
    'portico_outbox_messages',
    'Messages to devices that are not sent, or not answered, yet.',
    figures.outboxMessages,
  ),
  gauge(
    'portico_outbox_oldest_seconds',
    'Age of the oldest of these messages; 0 if there is none.',
    figures.outboxOldestMs / 1_000,
  ),
  gauge(
    'portico_webhooks',
    'Webhooks by state; the endpoint of a failing one accepts nothing.',
    Object.entries(figures.webhooks).map(([state, value]) => ({ labels: { state }, value })),
  ),
  gauge(
    'portico_webhook_deliveries_waiting',
    'Deliveries to webhooks that have not succeeded yet.',
    figures.waitingDeliveries,
  ),
  gauge(
    'portico_webhook_deliveries_oldest_seconds',
    'Age of the oldest of these deliveries; 0 if there is none.',
    figures.deliveryOldestMs / 1_000,
  ),
  gauge('portico_store_bytes', 'Size of the database.', figures.bytes),
  gauge(
    'portico_store_free_bytes',
    'Free space on the disk of a SQLite file.',
    figures.freeBytes === undefined ? [] : figures.freeBytes,
  ),
]

import type { Inventory } from '@portico/wire/operator/inventory'
import type { MeasuredMetric } from '@portico/server/domain/metric/catalogue'

export type Device = Inventory['devices'][number]

export interface Metric {
  kind: 'register' | 'delta' | 'gauge'
  registerSize?: number
  maxPerHour?: number
  of?: 'outdoor'
}

/** Properties of all devices of a model. */
export interface Product {
  deviceType: Device['deviceType']
  manufacturer: string
  model: string
  serialPrefix: string
  firmwareVersion: string | null
  /** Connected through the site's radio gateway. */
  isWireless: boolean
  metrics: Partial<Record<MeasuredMetric, Metric>>
  capabilities?: NonNullable<Device['capabilities']>
}

export const gauges = (...metrics: MeasuredMetric[]): Product['metrics'] =>
  Object.fromEntries(metrics.map((metric) => [metric, { kind: 'gauge' }]))

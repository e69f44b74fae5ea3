import type { Inventory } from '@portico/wire/operator/inventory'
import { demoInventories } from '../../src/content/index.ts'
import type { MeasuredMetric } from '@portico/server/domain/metric/catalogue'

export const { main, other } = demoInventories()

export type Device = Inventory['devices'][number]

export interface DeclaredMetric {
  metricType: MeasuredMetric
  kind: 'register' | 'delta' | 'gauge'
  registerSize?: number
}

export const listMetrics = ({ metrics }: Device): DeclaredMetric[] =>
  Object.entries(metrics ?? {}).map(([name, metric]) => ({ metricType: name as MeasuredMetric, ...metric }))

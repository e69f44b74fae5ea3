import type { MetricSpec } from '../inventory/inventory.ts'
import type { Device, SiteModel } from '../inventory/site-model.ts'
import type { MeasuredMetric } from '../metric/catalogue.ts'
import { parseInstant, type Refusal, refuseReading } from '../reading/judge.ts'

/** Where a series lives, and how its readings are judged. */
export interface Place {
  model: SiteModel
  seriesId: number
  spec: MetricSpec
}

export interface GoodReading {
  at: number
  value: number
}

export const isRefusal = (judged: object): judged is Refusal => 'code' in judged

/** The series of a metric that the device declares. */
export function placeIn(model: SiteModel, device: Device, metricType: unknown): Place | Refusal {
  const { metrics } = device.record
  // Not everything that JSON can hold can be made a name.
  if (typeof metricType === 'string' && Object.hasOwn(metrics, metricType)) {
    const metric = metricType as MeasuredMetric
    const spec = metrics[metric]
    const seriesId = device.series[metric]
    if (spec && seriesId !== undefined) return { model, seriesId, spec }
  }
  const declared = Object.keys(metrics).join(', ')
  return { code: 'metric-not-declared', message: `The device declares ${declared || 'no metrics'}.` }
}

export function judgeInstant(timestamp: unknown): number | Refusal {
  const message = 'The timestamp is not a time with an offset, such as 2026-11-14T10:00:00Z.'
  return parseInstant(timestamp) ?? { code: 'bad-timestamp', message }
}

export function judgeReading(
  place: Place,
  timestamp: unknown,
  value: unknown,
  now: number,
  retentionMs: number | undefined,
): GoodReading | Refusal {
  const at = judgeInstant(timestamp)
  if (typeof at !== 'number') return at
  return refuseReading(place.spec, at, value, now, retentionMs) ?? { at, value: Number(value) }
}

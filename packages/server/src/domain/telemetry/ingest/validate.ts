import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import { parseInstant, type Rejection, checkValue } from '../reading/validate.ts'

/** The series that a reading belongs to, and the rules to validate it. */
export interface SeriesTarget {
  model: SiteModel
  seriesId: number
  spec: MetricSpec
}

export interface ValidReading {
  at: number
  value: number
}

export const isRejection = (judged: object): judged is Rejection => 'code' in judged

/** The series of a metric that the device declares. */
export function resolveTarget(
  model: SiteModel,
  device: Device,
  metricType: unknown,
): SeriesTarget | Rejection {
  const target = getTargets(model, device).get(metricType)
  if (target) return target
  const declared = Object.keys(device.record.metrics).join(', ')
  return { code: 'metric-not-declared', message: `The device declares ${declared || 'no metrics'}.` }
}

/** By metric. Keys are unknown because a metric from JSON may be any value. */
export type SeriesTargets = ReadonlyMap<unknown, SeriesTarget>

/** Invalidated with the site model, which has its own `Device` objects. */
const targets = new WeakMap<Device, SeriesTargets>()

export function getTargets(model: SiteModel, device: Device): SeriesTargets {
  let deviceTargets = targets.get(device)
  if (!deviceTargets) targets.set(device, (deviceTargets = findTargets(model, device)))
  return deviceTargets
}

function findTargets(model: SiteModel, { record, series }: Device): SeriesTargets {
  const found = new Map<unknown, SeriesTarget>()
  for (const [metric, spec] of Object.entries(record.metrics)) {
    const seriesId = series[metric as MeasuredMetric]
    if (seriesId !== undefined) found.set(metric, { model, seriesId, spec })
  }
  return found
}

export function parseTimestamp(timestamp: unknown): number | Rejection {
  const message = 'The timestamp is not a time with an offset, such as 2026-11-14T10:00:00Z.'
  return parseInstant(timestamp) ?? { code: 'bad-timestamp', message }
}

export function validateReading(
  target: SeriesTarget,
  timestamp: unknown,
  value: unknown,
  now: number,
  retentionMs: number | undefined,
): ValidReading | Rejection {
  const at = parseTimestamp(timestamp)
  if (typeof at !== 'number') return at
  return checkValue(target.spec, at, value, now, retentionMs) ?? { at, value: Number(value) }
}

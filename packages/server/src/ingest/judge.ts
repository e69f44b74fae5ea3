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
  const place = placesOf(model, device).get(metricType)
  if (place) return place
  const declared = Object.keys(device.record.metrics).join(', ')
  return { code: 'metric-not-declared', message: `The device declares ${declared || 'no metrics'}.` }
}

/** By metric; what JSON says of one may be anything. */
type Places = ReadonlyMap<unknown, Place>

/** A model has devices of its own. */
const places = new WeakMap<Device, Places>()

function placesOf(model: SiteModel, device: Device): Places {
  let known = places.get(device)
  if (!known) places.set(device, (known = findPlaces(model, device)))
  return known
}

function findPlaces(model: SiteModel, { record, series }: Device): Places {
  const found = new Map<unknown, Place>()
  for (const [metric, spec] of Object.entries(record.metrics)) {
    const seriesId = series[metric as MeasuredMetric]
    if (seriesId !== undefined) found.set(metric, { model, seriesId, spec })
  }
  return found
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

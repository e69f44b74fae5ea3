import assert from 'node:assert/strict'
import { asArray, asObject, asString, type JsonObject } from '../json.ts'
import { query, type V2Client } from './v2-client.ts'

export interface Point {
  timestamp: string
  /** The timestamp in milliseconds. */
  at: number
  value: number | null
  quality: string
  coverage: number
  json: JsonObject
}

export interface Series {
  json: JsonObject
  points: Point[]
  summary: JsonObject
}

/** A finite number; otherwise the test fails with the value. */
export function asNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    assert.fail(`not a number: ${JSON.stringify(value)}`)
  return value
}

/** An ISO 8601 instant with any offset, in milliseconds. */
export function toEpoch(value: unknown): number {
  return Temporal.Instant.from(asString(value)).epochMilliseconds
}

export function readSeries(json: JsonObject): Series {
  const points = asArray(json['timeSeries']).map((item) => {
    const point = asObject(item)
    return {
      timestamp: asString(point['timestamp']),
      at: toEpoch(point['timestamp']),
      value: point['value'] === null ? null : asNumber(point['value']),
      quality: asString(point['quality']),
      coverage: asNumber(point['coverage']),
      json: point,
    }
  })
  return { json, points, summary: asObject(json['summary']) }
}

export async function getSeries(
  client: V2Client,
  path: string,
  params: Record<string, string>,
): Promise<Series> {
  return readSeries(await client.get(`${path}${query(params)}`))
}

export interface Reading {
  at: number
  value: number
}

/** All readings of a device in a range of at most seven days. */
export async function getReadings(
  client: V2Client,
  deviceUuid: unknown,
  metricType: string,
  range: Record<string, string>,
): Promise<Reading[]> {
  const path = `/devices/${asString(deviceUuid)}/consumption/${metricType}`
  const readings: Reading[] = []
  let cursor = ''
  do {
    const more = cursor === '' ? {} : { cursor }
    const page = await client.get(`${path}${query({ interval: 'raw', limit: '1000', ...range, ...more })}`)
    for (const item of asArray(page['timeSeries']).map(asObject)) {
      readings.push({ at: toEpoch(item['timestamp']), value: asNumber(item['value']) })
    }
    cursor = asString(asObject(page['pagination'])['nextCursor'] ?? '')
  } while (cursor !== '')
  return readings
}

/** The sum of the measured values in millionths: values are shown with at most six decimals. */
export function millionths(values: readonly (number | null)[]): number {
  return values.reduce<number>((sum, value) => sum + Math.round((value ?? 0) * 1e6), 0)
}

export const listValues = (series: Series): (number | null)[] => series.points.map(({ value }) => value)

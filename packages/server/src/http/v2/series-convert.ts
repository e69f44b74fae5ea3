import type { SpaceSeries } from '@portico/wire/v2/series'
import type { Point, Series } from '../../aggregate/point.ts'
import type { Zone } from '../../lib/zone.ts'

type WirePoint = SpaceSeries['timeSeries'][number]

/** The windows of a series with their wall-clock timestamps. */
export const toWirePoints = (zone: Zone, points: readonly Point[]): WirePoint[] =>
  points.map(({ at, ...point }) => ({ timestamp: zone.format(at), ...point }))

/** What is said of a series before its windows. */
export type SeriesHead = Record<string, string | boolean>

/**
 * A series as JSON, windows and all. They are most of what this API sends: written out here they take a third of the time that
 * JSON.stringify does.
 */
export function seriesText(head: SeriesHead, zone: Zone, { points, summary }: Series): string {
  const hasData = points.some(({ value }) => value !== null)
  let text = `${JSON.stringify(head).slice(0, -1)},"hasData":${hasData},"timeSeries":[`
  let separator = ''
  for (const point of points) {
    text += separator + pointText(zone, point)
    separator = ','
  }
  return `${text}],"summary":${JSON.stringify(summary)}}`
}

function pointText(zone: Zone, { at, value, min, max, quality, coverage, components }: Point): string {
  const extremes = min === undefined ? '' : `,"min":${min},"max":${max}`
  const parts = components === undefined ? '' : `,"components":${JSON.stringify(components)}`
  return `{"timestamp":"${zone.format(at)}","value":${value}${extremes},"quality":"${quality}","coverage":${coverage}${parts}}`
}

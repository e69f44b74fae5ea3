import type { SpaceSeries } from '@portico/wire/v2/series'
import type { FastifyReply } from 'fastify'
import type { Comparison, Point, Series } from '../../aggregate/point.ts'
import type { SeriesText } from '../../aggregate/series-texts.ts'
import { TextDigest } from '../../lib/text-digest.ts'
import type { Zone } from '../../lib/zone.ts'
import { SERIES_COLUMNS, toCsv } from '../csv.ts'
import { nameBody } from '../plugins/representation.ts'

type WirePoint = SpaceSeries['timeSeries'][number]

/** The windows of a series with their wall-clock timestamps. */
export const toWirePoints = (zone: Zone, points: readonly Point[]): WirePoint[] =>
  points.map(({ at, ...point }) => ({ timestamp: zone.format(at), ...point }))

/** What is said of a series before its windows. */
export type SeriesHead = Record<string, string | boolean>

/** The windows of a series as CSV. */
export const seriesCsv = (zone: Zone, { points }: Series): string =>
  toCsv(SERIES_COLUMNS, toWirePoints(zone, points))

/** A body that is written when it is wanted. */
export interface SeriesBody {
  digest: string
  write(): string
}

/** A series as JSON.stringify would write it. */
export function seriesBody(
  head: SeriesHead,
  { windows, digest, hasData, summary }: SeriesText,
  comparison?: Comparison,
): SeriesBody {
  const before = `${JSON.stringify(head).slice(0, -1)},"hasData":${hasData},"timeSeries":[`
  const after = `],"summary":${JSON.stringify(comparison ? { ...summary, comparison } : summary)}}`
  return {
    digest: new TextDigest().addText(before).addPart(digest.a, digest.b).addText(after).toString(),
    write: () => before + windows() + after,
  }
}

/** Its digest is said to whoever makes the ETag. */
export function sendSeries(reply: FastifyReply, { digest, write }: SeriesBody): string {
  nameBody(reply, digest)
  return write()
}

/** Windows are most of what this API sends: written out here they take a third of the time that JSON.stringify does. */
export function pointText(zone: Zone, { at, value, min, max, quality, coverage, components }: Point): string {
  const extremes = min === undefined ? '' : `,"min":${min},"max":${max}`
  const parts = components === undefined ? '' : `,"components":${JSON.stringify(components)}`
  return `{"timestamp":"${zone.format(at)}","value":${value}${extremes},"quality":"${quality}","coverage":${coverage}${parts}}`
}

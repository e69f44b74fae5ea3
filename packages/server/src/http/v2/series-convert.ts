import type { SpaceSeries } from '@portico/wire/v2/series'
import type { WindowText } from '../../aggregate/fragment.ts'
import type { Comparison, Point, Series, Summary } from '../../aggregate/point.ts'
import type { Range } from '../../aggregate/range.ts'
import type { SeriesText } from '../../aggregate/series-texts.ts'
import { Digest } from '../../lib/digest.ts'
import type { Zone } from '../../lib/zone.ts'
import { SERIES_COLUMNS, toCsv } from '../csv.ts'
import { type DeferredBody, JSON_TYPE, type Reply } from '../pipeline/reply.ts'

type WirePoint = SpaceSeries['timeSeries'][number]

/** The windows of a series with their wall-clock timestamps. */
export const toWirePoints = (zone: Zone, points: readonly Point[]): WirePoint[] =>
  points.map(({ at, ...point }) => ({ timestamp: zone.format(at), ...point }))

/** The windows of a series as CSV. */
export const seriesCsv = (zone: Zone, { points }: Series): string =>
  toCsv(SERIES_COLUMNS, toWirePoints(zone, points))

/** What is said of a series before its range and its windows: the same for all ranges. */
export interface SeriesHead {
  text: string
  /** A letter for each byte of it. Only here is anything but ASCII, in units. */
  bytes: string
  digest: Digest
}

export function seriesHead(said: Record<string, string>): SeriesHead {
  const text = JSON.stringify(said).slice(0, -1)
  const bytes = Buffer.from(text).toString('latin1')
  return { text, bytes, digest: new Digest().addText(FORM).addText(text) }
}

/** A series as JSON.stringify would write it. */
export function seriesBody(
  { text: headText, bytes: headBytes, digest: headDigest }: SeriesHead,
  zone: Zone,
  { from, to }: Pick<Range, 'from' | 'to'>,
  { windows, digest: windowsDigest, hasData, isSynthetic, summary }: SeriesText,
  comparison?: Comparison,
): DeferredBody {
  const digest = new Digest()
    .addPart(headDigest.a, headDigest.b)
    .addNumber(from)
    .addNumber(to)
    .addWord(Number(hasData) + 2 * Number(isSynthetic ?? 0))
    .addPart(windowsDigest.a, windowsDigest.b)
    .addNumber(summary.total ?? summary.mean ?? Number.NaN)
    .addNumber(summary.min ?? Number.NaN)
    .addNumber(summary.max ?? Number.NaN)
  if (comparison) digest.addText(JSON.stringify(comparison))
  const writeAfter = (head: string): string => {
    const made = isSynthetic === undefined ? '' : `,"isSynthetic":${isSynthetic}`
    const range = `,"fromDateTime":"${zone.format(from)}","toDateTime":"${zone.format(to)}"${made}`
    const after = comparison ? JSON.stringify({ ...summary, comparison }) : writeSummary(summary)
    return `${head}${range},"hasData":${hasData},"timeSeries":[${windows()}],"summary":${after}}`
  }
  return {
    digest: digest.toString(),
    write: () => writeAfter(headText),
    writeBytes: () => writeAfter(headBytes),
  }
}

/** As JSON.stringify would, in a fraction of the time. */
function writeSummary({ total, mean, min, max }: Summary): string {
  const whole = total === undefined ? '' : `"total":${total},`
  const middle = mean === undefined ? '' : `"mean":${mean},`
  return `{${whole}${middle}"min":${min},"max":${max}}`
}

export const seriesReply = (body: DeferredBody): Reply => ({ status: 200, type: JSON_TYPE, body })

const [MIN, MAX] = [Buffer.from(',"min":'), Buffer.from(',"max":')]

/** Windows are most of what this API sends: written out here they take a third of the time that JSON.stringify does. */
export const V2_WINDOWS: WindowText = {
  begin: (zone, at) => `{"timestamp":"${zone.format(at)}","value":`,
  addValues(out, value, min, max) {
    if (value === null) out.addText('null')
    else out.addNumber(value)
    if (min !== undefined) out.add(MIN).addNumber(min)
    if (max !== undefined) out.add(MAX).addNumber(max)
  },
  end: (quality, coverage, components) =>
    components === undefined
      ? `,"quality":"${quality}","coverage":${coverage}}`
      : `,"quality":"${quality}","coverage":${coverage},"components":${JSON.stringify(components)}}`,
}

/** ETags are made of numbers, not of their text: when the same are written otherwise, this has to be another. */
const FORM = `1 ${process.versions['tz']}`

import type { Windows } from '../../../calendar/interval.ts'
import type { Zone } from '../../../calendar/zone.ts'
import { METRICS, type MetricName } from '../../../domain/metric/catalogue.ts'
import type { Representation } from '../../pipeline/reply.ts'
import { AsciiWriter } from '../series-encoding/ascii-writer.ts'
import { Digest } from '../series-encoding/digest.ts'
import type { EncodedSeries } from '../series-encoding/encoded-series.ts'
import {
  COMPONENTS,
  COVERAGE,
  MAX,
  MIN,
  type Part,
  PointParts,
  QUALITY,
  TIMESTAMP,
  VALUE,
} from '../series-encoding/point-parts.ts'
import { addToDigest, ENCODING_VERSION, writeSummary } from '../series-encoding/series-body.ts'

export interface EncodedBatch {
  /** The fields before the timestamps. */
  head: Readonly<Record<string, string>>
  /** The name of the identifiers, such as `spaceUuid`. */
  idName: string
  zone: Zone
  windows: Windows
  series: readonly { id: string; metric: MetricName; encoded: EncodedSeries }[]
  pagination: { nextCursor: string | null; hasMore: boolean }
}

/** Text of one piece of a body: generated in about a millisecond. */
const PIECE_BYTES = 16 * 1024

const WRITERS: Record<Representation, (batch: EncodedBatch) => Generator<string>> = {
  'application/json': writeJson,
  'text/csv': writeCsv,
  'application/x-ndjson': writeNdjson,
}

/** A body that is encoded only if it is sent: the ETag follows from the digests of the series. */
export interface EncodedBody {
  digest: string
  /** The text in pieces, which consist of ASCII characters only. */
  pieces(): Iterable<string>
}

export const encodeBatchBody = (batch: EncodedBatch, type: Representation): EncodedBody => ({
  digest: digestBatch(batch, type),
  pieces: () => WRITERS[type](batch),
})

function digestBatch({ head, windows, series, pagination }: EncodedBatch, type: Representation): string {
  const { from, to } = windows.whole
  const digest = new Digest().addText(`${ENCODING_VERSION} ${type} ${toAsciiJson({ ...head, pagination })}`)
  digest.addNumber(from).addNumber(to)
  for (const { id, metric, encoded } of series) addToDigest(digest.addText(id).addText(metric), encoded)
  return digest.toString()
}

/** Shared by all bodies: it is empty between two pieces. */
const out = new AsciiWriter()

/** JSON without characters outside ASCII, so that a text has as many bytes as characters. */
const toAsciiJson = (value: object): string =>
  JSON.stringify(value).replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The fields of a batch that precede the series, without the closing brace. */
const encodeHead = ({ head, zone, windows }: EncodedBatch): string =>
  toAsciiJson({ ...head, timestamps: Array.from(windows, ({ from }) => zone.format(from)) }).slice(0, -1)

function* writeJson(batch: EncodedBatch): Generator<string> {
  const parts = new PointParts()
  out.addText(encodeHead(batch)).addText(',"series":[')
  for (const [index, series] of batch.series.entries()) {
    if (index > 0) out.addText(',')
    yield* writeSeries(batch, series, parts)
  }
  yield out.addText(`],"pagination":${JSON.stringify(batch.pagination)}}`).take()
}

function* writeNdjson(batch: EncodedBatch): Generator<string> {
  const parts = new PointParts()
  out.addText(`${encodeHead(batch)},"pagination":${JSON.stringify(batch.pagination)}}\n`)
  for (const series of batch.series) {
    yield* writeSeries(batch, series, parts)
    out.addText('\n')
  }
  yield out.addText(`{"end":true,"series":${batch.series.length}}\n`).take()
}

function* writeCsv({ idName, series }: EncodedBatch): Generator<string> {
  const parts = new PointParts()
  out.addText(`${idName},metricType,timestamp,value,min,max,quality,coverage\r\n`)
  for (const { id, metric, encoded } of series) {
    const start = `${id},${metric},`
    parts.read(encoded.windows())
    for (let window = 0; window < parts.count; window += 1) {
      out.addText(start)
      parts.copy(out, window, TIMESTAMP)
      out.addText(',')
      if (!parts.isMissing(window)) parts.copy(out, window, VALUE)
      out.addText(',')
      parts.copy(out, window, MIN)
      out.addText(',')
      parts.copy(out, window, MAX)
      out.addText(',')
      parts.copyUnquoted(out, window, QUALITY)
      out.addText(',')
      parts.copy(out, window, COVERAGE)
      out.addText('\r\n')
      if (out.length >= PIECE_BYTES) yield out.take()
    }
  }
  yield out.take()
}

/** One series in columns. The rest of the last piece stays in `out`. */
function* writeSeries(
  { idName }: EncodedBatch,
  { id, metric, encoded }: EncodedBatch['series'][number],
  parts: PointParts,
): Generator<string> {
  const { hasData, isSynthetic, summary } = encoded
  parts.read(encoded.windows())
  out.addText(`{"${idName}":"${id}",${getMetricText(metric)},"hasData":${hasData}`)
  if (isSynthetic !== undefined) out.addText(`,"isSynthetic":${isSynthetic}`)
  yield* writeColumn('values', parts, VALUE)
  if (METRICS[metric].cellKind === 'gauge') {
    yield* writeColumn('min', parts, MIN)
    yield* writeColumn('max', parts, MAX)
  }
  yield* writeColumn('quality', parts, QUALITY)
  yield* writeColumn('coverage', parts, COVERAGE)
  if (METRICS[metric].derive !== null) yield* writeColumn('components', parts, COMPONENTS)
  out.addText(',"summary":').addText(writeSummary(summary)).addText('}')
}

const COMMA = Buffer.from(',')

/** An absent part is null: the extremes of a window without a value, or the components of one without data. */
function* writeColumn(name: string, parts: PointParts, part: Part): Generator<string> {
  out.addText(`,"${name}":[`)
  for (let window = 0; window < parts.count; window += 1) {
    if (window > 0) out.addSlice(COMMA, 0, 1)
    if (parts.has(window, part)) parts.copy(out, window, part)
    else out.addText('null')
  }
  out.addText(']')
  if (out.length >= PIECE_BYTES) yield out.take()
}

const metricTexts = new Map<MetricName, string>()

function getMetricText(metric: MetricName): string {
  let text = metricTexts.get(metric)
  if (text === undefined) {
    const { unit, aggregation } = METRICS[metric]
    text = toAsciiJson({ metricType: metric, unit, aggregation }).slice(1, -1)
    metricTexts.set(metric, text)
  }
  return text
}

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

/** A batch without its series. */
export interface BatchFrame {
  /** The fields before the timestamps. */
  head: Readonly<Record<string, string>>
  /** The name of the identifiers, such as `spaceUuid`. */
  idName: string
  zone: Zone
  windows: Windows
  pagination: { nextCursor: string | null; hasMore: boolean }
}

export interface EncodedBatchSeries {
  id: string
  metric: MetricName
  encoded: EncodedSeries
}

/** A body in a representation: the ETag follows from the digests of the series. */
export interface EncodedBody {
  digest: string
  /** The text in pieces, which consist of ASCII characters only. */
  pieces(): Iterable<string>
}

/** Collects the series of a body in their order. */
export interface BatchBody {
  add(series: EncodedBatchSeries): void
  end(): EncodedBody
}

/** Text of one piece of a body: generated in about a millisecond. */
const PIECE_BYTES = 16 * 1024

/** Writes a body to `out`, and yields its text in pieces; the rest of the last piece stays in `out`. */
interface BatchWriter {
  begin(frame: BatchFrame): void
  /** `parts` is reused from one series of a body to the next. */
  series(frame: BatchFrame, series: EncodedBatchSeries, index: number, parts: PointParts): Generator<string>
  end(frame: BatchFrame, count: number): void
}

/**
 * With `isWrittenEarly`, each series is written when it is added. Its encoded blocks, which take several times the
 * memory of its text, can then be collected. Otherwise, a body that is not sent is not written either.
 */
export function createBatchBody(
  frame: BatchFrame,
  type: Representation,
  { isWrittenEarly }: { isWrittenEarly: boolean },
): BatchBody {
  const writer = WRITERS[type]
  const digest = digestFrame(frame, type)
  const series: (EncodedBatchSeries | { text: readonly string[] })[] = []
  const early = isWrittenEarly ? new PointParts() : undefined
  return {
    add(one) {
      addToDigest(digest.addText(one.id).addText(one.metric), one.encoded)
      const index = series.length
      series.push(early ? { text: [...writer.series(frame, one, index, early), out.take()] } : one)
    },
    end: () => ({
      digest: digest.toString(),
      *pieces() {
        const parts = new PointParts()
        writer.begin(frame)
        for (const [index, one] of series.entries()) {
          if ('text' in one) {
            yield out.take()
            yield* one.text
          } else yield* writer.series(frame, one, index, parts)
        }
        writer.end(frame, series.length)
        yield out.take()
      },
    }),
  }
}

function digestFrame({ head, windows, pagination }: BatchFrame, type: Representation): Digest {
  const { from, to } = windows.whole
  return new Digest()
    .addText(`${ENCODING_VERSION} ${type} ${toAsciiJson({ ...head, pagination })}`)
    .addNumber(from)
    .addNumber(to)
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
const encodeHead = ({ head, zone, windows }: BatchFrame): string =>
  toAsciiJson({ ...head, timestamps: Array.from(windows, ({ from }) => zone.format(from)) }).slice(0, -1)

const WRITERS: Record<Representation, BatchWriter> = {
  'application/json': {
    begin: (frame) => out.addText(encodeHead(frame)).addText(',"series":['),
    *series(frame, one, index, parts) {
      if (index > 0) out.addText(',')
      yield* writeColumns(frame, one, parts)
    },
    end: ({ pagination }) => out.addText(`],"pagination":${JSON.stringify(pagination)}}`),
  },
  'application/x-ndjson': {
    begin: (frame) => out.addText(`${encodeHead(frame)},"pagination":${JSON.stringify(frame.pagination)}}\n`),
    *series(frame, one, _index, parts) {
      yield* writeColumns(frame, one, parts)
      out.addText('\n')
    },
    end: (_frame, count) => out.addText(`{"end":true,"series":${count}}\n`),
  },
  'text/csv': {
    begin: ({ idName }) => out.addText(`${idName},metricType,timestamp,value,min,max,quality,coverage\r\n`),
    series: (_frame, one, _index, parts) => writeCsvLines(one, parts),
    end() {},
  },
}

function* writeCsvLines({ id, metric, encoded }: EncodedBatchSeries, parts: PointParts): Generator<string> {
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

/** One series in columns. */
function* writeColumns(
  { idName }: BatchFrame,
  { id, metric, encoded }: EncodedBatchSeries,
  parts: PointParts,
): Generator<string> {
  const { hasData, isSynthetic, summary } = encoded
  parts.read(encoded.windows())
  out.addText(`{"${idName}":"${id}",${getMetricText(metric)},"hasData":${hasData}`)
  if (isSynthetic !== undefined) out.addText(`,"isSynthetic":${isSynthetic}`)
  for (const [start, part] of listColumns(metric)) {
    writeColumn(start, parts, part)
    if (out.length >= PIECE_BYTES) yield out.take()
  }
  out.addText(',"summary":').addText(writeSummary(summary)).addText('}')
}

type Columns = readonly (readonly [start: string, part: Part])[]

const METER_COLUMNS: Columns = [
  [',"values":[', VALUE],
  [',"quality":[', QUALITY],
  [',"coverage":[', COVERAGE],
]
const GAUGE_COLUMNS: Columns = [
  [',"values":[', VALUE],
  [',"min":[', MIN],
  [',"max":[', MAX],
  [',"quality":[', QUALITY],
  [',"coverage":[', COVERAGE],
]
const DERIVED_COLUMNS: Columns = [...METER_COLUMNS, [',"components":[', COMPONENTS]]

function listColumns(metric: MetricName): Columns {
  const { cellKind, derive } = METRICS[metric]
  if (derive !== null) return DERIVED_COLUMNS
  return cellKind === 'gauge' ? GAUGE_COLUMNS : METER_COLUMNS
}

const [COMMA, NULL] = [Buffer.from(','), Buffer.from('null')]

/** An absent part is null: the extremes of a window without a value, or the components of one without data. */
function writeColumn(start: string, parts: PointParts, part: Part): void {
  out.addText(start)
  for (let window = 0; window < parts.count; window += 1) {
    if (window > 0) out.addSlice(COMMA, 0, 1)
    if (parts.has(window, part)) parts.copy(out, window, part)
    else out.addSlice(NULL, 0, 4)
  }
  out.addText(']')
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

import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { at, float64At } from '../../../kernel/at.ts'
import { QUALITIES } from '../reading/window-value.ts'
import { cacheByTime } from './cache-by-time.ts'
import { type ExportOptions, ROW_COLUMNS, type RowBatch, type RowEncoder } from './format.ts'

/** Rows of a row group, which is encoded as a whole. */
const GROUP_ROWS = 100_000

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema']
type ColumnData = Parameters<ParquetWriter['write']>[0]['columnData']

const text = (name: string): Schema[number] => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
  repetition_type: 'REQUIRED',
})

const TIMESTAMP: Schema[number] = {
  name: 'timestamp',
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  repetition_type: 'REQUIRED',
}

/** After the identifier and the metric. */
const TIMESTAMP_COLUMN = 2

const number = (name: string, isRequired: boolean): Schema[number] => ({
  name,
  type: 'DOUBLE',
  repetition_type: isRequired ? 'REQUIRED' : 'OPTIONAL',
})

/** The columns of a row group while rows are added to it. */
interface Group {
  rows: number
  ids: string[]
  metrics: string[]
  timestamps: bigint[]
  /** Milliseconds. */
  first: number
  last: number
  columns: Float64Array<ArrayBuffer>[]
}

/** Parquet with Snappy; the footer at the end makes a truncated file unreadable. */
export function createParquetEncoder({ kind, idName, metadata }: ExportOptions): RowEncoder {
  const names: readonly string[] = ROW_COLUMNS[kind]
  const isRequired = (name: string): boolean => kind === 'readings' || name === 'coverage'
  const schema: Schema = [
    { name: 'root', num_children: 3 + names.length },
    text(idName),
    text('metricType'),
    TIMESTAMP,
    ...names.map((name) => (name === 'quality' ? text(name) : number(name, isRequired(name)))),
  ]
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({
    writer: bytes,
    schema,
    // Statistics of all columns would take a fifth of the time, and readers choose row groups by time only.
    statistics: false,
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key: `portico.${key}`, value })),
  })
  const toBigInt = cacheByTime(BigInt)
  const group: Group = {
    rows: 0,
    ids: [],
    metrics: [],
    timestamps: [],
    first: Infinity,
    last: -Infinity,
    columns: names.map(() => new Float64Array(GROUP_ROWS)),
  }

  const toColumn = (name: string, column: Float64Array): ColumnData[number] => {
    if (name === 'quality') return { name, data: Array.from(column, (value) => at(QUALITIES, value)) }
    // Like JSON and CSV, Parquet has no negative zero here.
    if (isRequired(name)) return { name, data: column.map((value) => value + 0) }
    return { name, data: Array.from(column, (value) => (Number.isNaN(value) ? null : value + 0)) }
  }

  /** Adds the first and last time to the metadata of the newest row group. */
  const addTimeRange = (): void => {
    const metadata = writer.row_groups.at(-1)?.columns[TIMESTAMP_COLUMN]?.meta_data
    if (metadata)
      metadata.statistics = {
        min_value: BigInt(group.first),
        max_value: BigInt(group.last),
        null_count: 0n,
      }
  }

  const writeGroup = (): void => {
    const { rows, ids, metrics, timestamps, columns } = group
    if (rows === 0) return
    // Without a `flush` of its writer, it is synchronous.
    void writer.write({
      columnData: [
        { name: idName, data: ids, encoding: 'RLE_DICTIONARY' },
        { name: 'metricType', data: metrics, encoding: 'RLE_DICTIONARY' },
        { name: 'timestamp', data: timestamps, encoding: 'RLE_DICTIONARY' },
        ...names.map((name, index) => toColumn(name, at(columns, index).subarray(0, rows))),
      ],
      rowGroupSize: GROUP_ROWS,
      // One page: no reader needs smaller ones, and finding their bounds takes time.
      pageSize: 0,
    })
    addTimeRange()
    group.rows = 0
    group.ids = []
    group.metrics = []
    group.timestamps = []
    group.first = Infinity
    group.last = -Infinity
  }

  /** Adds rows of one series, as many as fit into the group; returns their number. */
  const addRows = (batch: RowBatch, row: number, count: number, id: string, metric: string): number => {
    const { rows, ids, metrics, timestamps, columns } = group
    const added = Math.min(count, GROUP_ROWS - rows)
    for (let index = 0; index < added; index += 1) {
      ids.push(id)
      metrics.push(metric)
      const time = float64At(batch.timestamps, row + index)
      timestamps.push(toBigInt(time))
      if (time < group.first) group.first = time
      if (time > group.last) group.last = time
    }
    for (const [index, column] of columns.entries())
      column.set(at(batch.columns, index).subarray(row, row + added), rows)
    group.rows += added
    if (group.rows === GROUP_ROWS) writeGroup()
    return added
  }

  /** The buffer is reused for the next row group. */
  const take = (): Uint8Array<ArrayBuffer> => {
    const taken = bytes.getBytes().slice()
    bytes.index = 0
    return taken
  }

  return {
    add(batch) {
      let row = 0
      for (const { id, metric, count } of batch.runs)
        for (const end = row + count; row < end; ) row += addRows(batch, row, end - row, id, metric)
      return take()
    },
    end() {
      writeGroup()
      void writer.finish()
      return take()
    },
  }
}

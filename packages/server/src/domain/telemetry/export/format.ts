/** The formats of an export, each with its media type. */
export const EXPORT_FORMATS = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
} as const

export type ExportFormat = keyof typeof EXPORT_FORMATS

export const EXPORT_FORMAT_NAMES = Object.keys(EXPORT_FORMATS) as ExportFormat[]

/** The kind of rows in an export. */
export type ExportKind = 'readings' | 'windows'

/** Everything that an encoder needs. */
export interface ExportOptions {
  kind: ExportKind
  format: ExportFormat
  /** The name of the identifiers, such as `deviceUuid`. */
  idName: string
  /** Timestamps of windows are in the site's zone, as in other responses; those of readings in UTC, as in imports. */
  timeZone: string
  /** Metadata of a Parquet file. */
  metadata: Readonly<Record<string, string>>
}

/** Consecutive rows of one series. */
export interface RowRun {
  id: string
  metric: string
  count: number
}

/** Rows in columns. NaN is a missing value. */
export interface RowBatch {
  runs: RowRun[]
  timestamps: Float64Array<ArrayBuffer>
  /** Readings have a value; windows have value, min, max, quality (an index into `QUALITIES`) and coverage. */
  columns: Float64Array<ArrayBuffer>[]
}

/** The columns of each kind after identifier, metric and timestamp. */
export const ROW_COLUMNS = {
  readings: ['value'],
  windows: ['value', 'min', 'max', 'quality', 'coverage'],
} as const satisfies Record<ExportKind, readonly string[]>

/** Turns batches of rows into the bytes of a file. */
export interface RowEncoder {
  /** Bytes that are complete; none if the rows are still collected. */
  add(batch: RowBatch): Uint8Array<ArrayBuffer>
  /** The rest of the file. */
  end(): Uint8Array<ArrayBuffer>
}

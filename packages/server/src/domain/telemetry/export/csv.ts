import { type ExportOptions, ROW_COLUMNS, type RowEncoder } from './format.ts'
import { createTextEncoder } from './row-text.ts'

/** A header line, then one line per row. Nothing marks the end: only the transfer shows whether a file is complete. */
export function createCsvEncoder(options: ExportOptions): RowEncoder {
  const columns = ROW_COLUMNS[options.kind]
  return createTextEncoder(options, {
    header: `${[options.idName, 'metricType', 'timestamp', ...columns].join()}\r\n`,
    prefix: (id, metric) => `${id},${metric},`,
    separators: columns.map(() => ','),
    missing: '',
    quote: (text) => text,
    rowEnd: '\r\n',
    footer: () => '',
  })
}

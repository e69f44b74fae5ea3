import { EXPORT_MARK, toFinalRecord } from '../reading/export-mark.ts'
import { type ExportOptions, ROW_COLUMNS, type RowEncoder } from './format.ts'
import { createTextEncoder } from './row-text.ts'

/** One JSON object per row, and a final one with their number. */
export function createNdjsonEncoder(options: ExportOptions): RowEncoder {
  const { idName, kind } = options
  const [first, ...rest] = ROW_COLUMNS[kind]
  return createTextEncoder(options, {
    header: '',
    prefix: (id, metric) => `{"${idName}":"${id}","metricType":"${metric}","timestamp":"`,
    separators: [`","${first}":`, ...rest.map((name) => `,"${name}":`)],
    missing: 'null',
    quote: (text) => `"${text}"`,
    rowEnd: '}\n',
    // Only readings can be imported.
    ...(kind === 'readings' ? { firstRowEnd: `${EXPORT_MARK}\n` } : {}),
    footer: (rows) => `${toFinalRecord(rows)}\n`,
  })
}

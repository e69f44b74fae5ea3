import { RECORDS_PER_PIECE } from './body/streamed-body.ts'

type Cell = string | number | boolean | null | undefined | readonly string[] | object

const isRecord = (item: unknown): boolean => typeof item === 'object'

const text = (cell: Cell): string => {
  if (cell === null || cell === undefined) return ''
  if (Array.isArray(cell)) return cell.some(isRecord) ? JSON.stringify(cell) : cell.join(' ')
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

/** RFC 4180 quoting; a cell that a spreadsheet would interpret as a formula is prefixed with an apostrophe. */
const quote = (value: string, isNumber: boolean): string => {
  const safe = !isNumber && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

type Row = Readonly<Record<string, Cell>>

export const toCsv = (columns: readonly string[], rows: readonly Row[]): string =>
  [...csvPieces(columns, rows, (row) => row)].join('')

/** Yields CSV text in pieces; a row is converted when its piece is generated. */
export function* csvPieces<T>(
  columns: readonly string[],
  items: readonly T[],
  toRow: (item: T) => Row,
): Generator<string> {
  const toLine = (row: Row): string =>
    `${columns.map((name) => quote(text(row[name]), typeof row[name] === 'number')).join(',')}\r\n`
  yield `${columns.join(',')}\r\n`
  for (let from = 0; from < items.length; from += RECORDS_PER_PIECE) {
    yield items
      .slice(from, from + RECORDS_PER_PIECE)
      .map((item) => toLine(toRow(item)))
      .join('')
  }
}

export const SERIES_COLUMNS = ['timestamp', 'value', 'min', 'max', 'quality', 'coverage'] as const

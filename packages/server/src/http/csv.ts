type Cell = string | number | boolean | null | undefined | readonly string[] | object

const text = (cell: Cell): string => {
  if (cell === null || cell === undefined) return ''
  if (Array.isArray(cell)) return cell.join(' ')
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

/** RFC 4180 quoting; a cell that a spreadsheet would take for a formula gets an apostrophe in front. */
const quote = (value: string, isNumber: boolean): string => {
  const safe = !isNumber && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const toCsv = (columns: readonly string[], rows: readonly Readonly<Record<string, Cell>>[]): string =>
  [
    columns.join(','),
    ...rows.map((row) =>
      columns.map((name) => quote(text(row[name]), typeof row[name] === 'number')).join(','),
    ),
    '',
  ].join('\r\n')

export const SERIES_COLUMNS = ['timestamp', 'value', 'min', 'max', 'quality', 'coverage'] as const

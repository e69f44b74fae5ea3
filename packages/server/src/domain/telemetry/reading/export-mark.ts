/**
 * How an export of readings in NDJSON shows that it is complete. Its last line is a final record with the number of
 * readings. Its first reading ends with a space before the brace, which JSON ignores but tells an import to expect the
 * final record. A file that is not an export has neither.
 */
export const EXPORT_MARK = ' }'

const FINAL = '{"end":'

export const toFinalRecord = (records: number): string => `{"end":true,"records":${records}}`

/** The number in a final record; undefined for any other line. */
export function parseFinalRecord(line: string): number | undefined {
  if (!line.startsWith(FINAL)) return undefined
  try {
    const record: unknown = JSON.parse(line)
    if (typeof record !== 'object' || record === null || !('end' in record) || !('records' in record))
      return undefined
    const { end, records } = record
    return end === true && typeof records === 'number' && Object.keys(record).length === 2
      ? records
      : undefined
  } catch {
    return undefined
  }
}

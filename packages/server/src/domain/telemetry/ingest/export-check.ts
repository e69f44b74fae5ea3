import { EXPORT_MARK, parseFinalRecord } from '../reading/export-mark.ts'
import type { Rejection } from '../reading/validate.ts'

/** Checks that exports in a file of readings are complete. A file may consist of several exports. */
export interface ExportCheck {
  /**
   * To be called for every line that is not blank. Returns whether it is a final record, and the error if it is wrong.
   */
  check(line: string | undefined): { isEnd: boolean; rejection?: Rejection }
  /** To be called at the end of the file. Returns an error if the file is not complete. */
  finish(): Rejection | undefined
}

export function createExportCheck(): ExportCheck {
  let records = 0
  let isOpen = false
  return {
    check(line) {
      const expected = line === undefined ? undefined : parseFinalRecord(line)
      if (expected === undefined) {
        records += 1
        if (records === 1) isOpen = line?.endsWith(EXPORT_MARK) ?? false
        return { isEnd: false }
      }
      const found = records
      records = 0
      isOpen = false
      return found === expected
        ? { isEnd: true }
        : {
            isEnd: true,
            rejection: {
              code: 'wrong-count',
              message: `The export has ${expected} records according to this line, but ${found} precede it.`,
            },
          }
    },
    finish: () =>
      isOpen
        ? { code: 'truncated', message: 'The export is truncated: its final record is missing.' }
        : undefined,
  }
}

/** The line without the mark of an export. */
export const stripExportMark = (line: string): string =>
  line.endsWith(EXPORT_MARK) ? `${line.slice(0, -EXPORT_MARK.length)}}` : line

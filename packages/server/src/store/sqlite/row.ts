import type { SQLOutputValue } from 'node:sqlite'
import { unreadable } from '../../kernel/errors.ts'

export type Row = Record<string, SQLOutputValue>

/** Columns have the types of the schema; any other type means that the file is damaged. */
function wrong(column: string, wanted: string): never {
  throw unreadable(`The store is damaged: column ${column} is not ${wanted}; run: portico doctor --deep`)
}

export function text(row: Row, column: string): string {
  const value = row[column]
  return typeof value === 'string' ? value : wrong(column, 'text')
}

export function integer(row: Row, column: string): number {
  const value = row[column]
  return typeof value === 'number' ? value : wrong(column, 'an integer')
}

export function blob(row: Row, column: string): Uint8Array {
  const value = row[column]
  return value instanceof Uint8Array ? value : wrong(column, 'a blob')
}

export const flag = (row: Row, column: string): boolean => integer(row, column) !== 0

export const textOrNull = (row: Row, column: string): string | null =>
  row[column] === null ? null : text(row, column)

export const integerOrNull = (row: Row, column: string): number | null =>
  row[column] === null ? null : integer(row, column)

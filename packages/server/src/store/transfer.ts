import { unavailable, UserFacingError } from '../kernel/errors.ts'

/** The type of a column, independent of the store. */
export type ColumnType = 'uuid' | 'text' | 'whole' | 'number' | 'flag' | 'bytes'
export type Value = string | number | boolean | Uint8Array | null
/** One value for each column of the table. */
export type TransferRow = readonly Value[]
/** The values of the key, which is the leading columns. */
export type RowKey = readonly (string | number)[]

/** A table of the exchange format, which is identical for all stores. All tables together are an installation. */
export interface TransferTable {
  name: string
  /** The scope that rows are read by; the key begins with the site, or with the site and the series. */
  of: 'installation' | 'site' | 'series'
  columns: readonly (readonly [name: string, type: ColumnType])[]
  /** Number of leading columns that are the key. */
  key: number
  /** Rows per read. */
  page: number
}

export interface UnfinishedCopy {
  /** Identity of the installation that is copied. */
  source: string
  /** The last row that was written; undefined before the first. */
  position: Position | undefined
}

export interface Position {
  table: string
  key: RowKey
}

/** A store as the source or the target of a copy. No other process may use it during the copy. */
export interface TransferStore {
  /** Unique id of the installation; a copy has the id of its source. */
  identity(): Promise<string>
  /** Moves all data to where `read` finds it. Idempotent. */
  prepareReading(): Promise<void>
  /** Reads up to `limit` rows of a scope (all, a site, a site and a series) in the order of their keys, after a key. */
  read(table: TransferTable, scope: RowKey, after: RowKey | undefined, limit: number): Promise<TransferRow[]>

  /** Whether the store can hold the text unchanged. */
  canStoreText(text: string): boolean
  unfinished(): Promise<UnfinishedCopy | undefined>
  /** Marks an empty store as an unfinished copy; returns false if it is not empty. */
  begin(source: string): Promise<boolean>
  /** Writes rows of one site, or of the installation, and the position of the copy in one transaction. */
  write(table: TransferTable, rows: readonly TransferRow[], position: Position): Promise<void>
  /** Rebuilds data that is derived from the rows, such as sequences. Idempotent. */
  rebuildSequences(): Promise<void>
  /** Ends the copy: the store can be served from now on. */
  complete(): Promise<void>
}

/** Raised whenever the transfer tables change: their names are part of a position. */
const POSITION_FORMAT = 5

export const serializePosition = (position: Position): string =>
  JSON.stringify({ format: POSITION_FORMAT, ...position })

export function parsePosition(text: string): Position {
  const { format, ...position } = JSON.parse(text) as Position & { format?: number }
  if (format !== POSITION_FORMAT)
    throw new UserFacingError(
      'this store is an unfinished copy by another release, which cannot be resumed: empty it and copy again',
    )
  return position
}

/** An unfinished copy must be neither served nor changed. */
export async function requireCompleteCopy(transfer: TransferStore): Promise<void> {
  if (await transfer.unfinished())
    throw unavailable('this store is an unfinished copy; run the same portico copy again to finish it')
}

import { unavailable, UserFacingError } from '../kernel/errors.ts'

/** What a column holds, the same whatever keeps it. */
export type ColumnType = 'uuid' | 'text' | 'whole' | 'number' | 'flag' | 'bytes'
export type Value = string | number | boolean | Uint8Array | null
/** The values of a table's columns, in their order. */
export type TransferRow = readonly Value[]
/** The values of the leading columns that tell a row from all others. */
export type RowKey = readonly (string | number)[]

/** Everything an installation is made of, as tables that are the same in every store. */
export interface TransferTable {
  name: string
  /** Whose rows are read together; the key begins with the site, or with the site and the series. */
  of: 'installation' | 'site' | 'series'
  columns: readonly (readonly [name: string, type: ColumnType])[]
  /** So many leading columns are the key. */
  key: number
  /** Rows that are read at once. */
  page: number
}

export interface UnfinishedCopy {
  /** Which installation it is a copy of. */
  source: string
  /** The last row that was written; undefined before the first. */
  position: Position | undefined
}

export interface Position {
  table: string
  key: RowKey
}

/** A store as the source or the target of a copy. Nobody else may use it meanwhile. */
export interface TransferStore {
  /** Tells this installation from every other; a copy has that of its source. */
  identity(): Promise<string>
  /** Puts everything where `read` finds it. Doing it twice changes nothing. */
  prepareReading(): Promise<void>
  /** Some rows in the order of their keys: those of the scope (nothing, a site, a site and a series) after a key in it. */
  read(table: TransferTable, scope: RowKey, after: RowKey | undefined, limit: number): Promise<TransferRow[]>

  /** Whether it can keep a text as it is. */
  canStoreText(text: string): boolean
  unfinished(): Promise<UnfinishedCopy | undefined>
  /** Makes an empty store an unfinished copy; answers false when it is not empty. */
  begin(source: string): Promise<boolean>
  /** Rows of one site, or of the installation, and how far the copy has come: all or nothing. */
  write(table: TransferTable, rows: readonly TransferRow[], position: Position): Promise<void>
  /** Makes what depends on the rows: numbers go on after the highest. Doing it twice changes nothing. */
  rebuildSequences(): Promise<void>
  /** It is a store like any other from now on. */
  complete(): Promise<void>
}

/** Raised whenever the transfer tables change: their names are part of a position. */
const POSITION_FORMAT = 2

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

/** Half a copy must be neither served nor changed. */
export async function requireCompleteCopy(transfer: TransferStore): Promise<void> {
  if (await transfer.unfinished())
    throw unavailable('this store is an unfinished copy; run the same portico copy again to finish it')
}

import { UserFacingError } from '../../kernel/errors.ts'
import { TRANSFER_TABLES } from '../../store/transfer-tables.ts'
import type { Position, TransferRow, TransferStore, TransferTable } from '../../store/transfer.ts'
import { type VerifiedTable, verifyTable } from './verify.ts'
import { getRowKey, readPages, type Page } from './read-pages.ts'

/** Reports the completed share of a table, from 0 to 1. */
export type CopyProgress = (step: 'copying' | 'verifying', table: string, share: number) => void

export interface CopyReport {
  /** Whether an earlier, unfinished copy was resumed. */
  isResumed: boolean
  isSame: boolean
  tables: VerifiedTable[]
}

/** A copy that cannot be started or continued, with the reason. */
export class CopyRejectedError extends UserFacingError {}

/**
 * Copies a whole installation into an empty store, then reads both again and compares them. Until they are equal, the
 * target is marked as an unfinished copy, which only this function accepts.
 */
export async function copyInstallation(
  source: TransferStore,
  target: TransferStore,
  onProgress: CopyProgress,
): Promise<CopyReport> {
  if (await source.unfinished()) throw new CopyRejectedError('the source is itself an unfinished copy')
  await source.prepareReading()
  const begun = await beginOrResume(await source.identity(), target)
  await copyTables(source, target, begun.position, onProgress)
  await target.rebuildSequences()
  const tables: VerifiedTable[] = []
  for (const table of TRANSFER_TABLES) {
    tables.push(
      await verifyTable(source, target, table, (share) => onProgress('verifying', table.name, share)),
    )
    onProgress('verifying', table.name, 1)
  }
  const isSame = tables.every(({ difference }) => difference === undefined)
  if (isSame) await target.complete()
  return { isResumed: begun.isResumed, isSame, tables }
}

async function beginOrResume(
  identity: string,
  target: TransferStore,
): Promise<{ isResumed: boolean; position: Position | undefined }> {
  const unfinished = await target.unfinished()
  if (!unfinished) {
    if (!(await target.begin(identity))) throw new CopyRejectedError('the target is not empty')
    return { isResumed: false, position: undefined }
  }
  if (unfinished.source !== identity)
    throw new CopyRejectedError('the target holds the unfinished copy of another installation')
  return { isResumed: true, position: unfinished.position }
}

async function copyTables(
  source: TransferStore,
  target: TransferStore,
  done: Position | undefined,
  onProgress: CopyProgress,
): Promise<void> {
  const first = done ? TRANSFER_TABLES.findIndex(({ name }) => name === done.table) : 0
  for (const table of TRANSFER_TABLES.slice(first)) {
    const after = done?.table === table.name ? done.key : undefined
    for await (const { rows, share } of splitIntoBatches(table, readPages(source, table, after))) {
      requireSupportedText(target, table, rows)
      const last = rows.at(-1)
      if (last) await target.write(table, rows, { table: table.name, key: getRowKey(table, last) })
      onProgress('copying', table.name, share)
    }
    onProgress('copying', table.name, 1)
  }
}

function requireSupportedText(
  target: TransferStore,
  table: TransferTable,
  rows: readonly TransferRow[],
): void {
  for (const row of rows)
    if (row.some((value) => typeof value === 'string' && !target.canStoreText(value)))
      throw new CopyRejectedError(
        `the target cannot store a text in ${table.name} at ${JSON.stringify(getRowKey(table, row))}`,
      )
}

/** Size of one transaction of the target: about 10,000 packed readings. */
const BATCH_BYTES = 128 * 1024
const ROW_BYTES = 64

/** Merges or splits pages into batches to be written: rows of one site, or of the installation. */
async function* splitIntoBatches(table: TransferTable, pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  let rows: TransferRow[] = []
  let bytes = 0
  let share = 0
  for await (const page of pages) {
    for (const row of page.rows) {
      const isOfAnotherSite = table.of !== 'installation' && rows[0] !== undefined && rows[0][0] !== row[0]
      if (rows.length > 0 && (isOfAnotherSite || bytes >= BATCH_BYTES)) {
        yield { rows, share }
        rows = []
        bytes = 0
      }
      rows.push(row)
      bytes += estimateSize(row)
    }
    share = page.share
  }
  if (rows.length > 0) yield { rows, share }
}

const estimateSize = (row: TransferRow): number =>
  row.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0),
    ROW_BYTES,
  )

import type { TransferRow, TransferTable } from '../../store/transfer.ts'
import type { Page } from './read-pages.ts'

/** Size of one transaction of the target: about 10,000 packed readings. */
const BATCH_BYTES = 128 * 1024
const ROW_BYTES = 64

/** Merges or splits pages into batches to be written: rows of one site, or of the installation. */
export async function* splitIntoBatches(
  table: TransferTable,
  pages: AsyncIterable<Page>,
): AsyncGenerator<Page> {
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

import type { DatabaseSync } from 'node:sqlite'
import { type ChecksummedRow, numbersChecksum, rowChecksum } from '../../kernel/row-checksum.ts'
import { removeDaysFromMonth } from '../../domain/telemetry/rollup/month-row.ts'
import { packDayRuns, toDayRuns } from './journal/day-runs.ts'
import { inventoryChecksum } from './inventory/inventory-checksum.ts'
import { batchSpan, unpackBatch } from './journal/journal-batch.ts'

/** A table's present name; migrations use the name it had at the time. */
const toPresentName = (table: unknown): ChecksummedRow =>
  table === 'rollup_quarters' ? 'rollup_quarter_hours' : (table as ChecksummedRow)

/** SQL functions that migrations use. Their arguments are columns of STRICT tables. */
export function addMigrationFunctions(db: DatabaseSync): void {
  const deterministic = true
  db.function('row_checksum', { deterministic }, (table, seriesId, number, bytes) =>
    rowChecksum(toPresentName(table), Number(seriesId), Number(number), bytes as Uint8Array),
  )
  db.function('numbers_checksum', { deterministic }, (kind, first, second, third) =>
    numbersChecksum(kind as ChecksummedRow, [Number(first), Number(second), Number(third)]),
  )
  db.function(
    'batch_first_at',
    { deterministic },
    (bytes) => batchSpan(unpackBatch(bytes as Uint8Array)).firstAt,
  )
  db.function(
    'batch_last_at',
    { deterministic },
    (bytes) => batchSpan(unpackBatch(bytes as Uint8Array)).lastAt,
  )
  db.function('day_set', { deterministic }, (days) =>
    packDayRuns(
      toDayRuns(
        String(days)
          .split(',')
          .map(Number)
          .toSorted((a, b) => a - b),
      ),
    ),
  )
  db.function(
    'days_before',
    { deterministic },
    (month, cells, day) =>
      removeDaysFromMonth(
        { number: Number(month), cells: cells as Uint8Array },
        Number(day),
        Number.POSITIVE_INFINITY,
      ) ?? null,
  )
  db.function('inventory_checksum', (siteUuid) => inventoryChecksum(db, String(siteUuid)))
}

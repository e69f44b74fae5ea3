import type { RowBatch, RowRun } from './format.ts'

/** Rows of a batch: they are copied and encoded in about half a millisecond. */
const BATCH_ROWS = 1_000

/** Collects rows into batches. */
export interface BatchBuilder {
  readonly room: number
  /** Adds rows of one series, at most `room`. `columns` are those of the batch, from index `from` on. */
  add(
    id: string,
    metric: string,
    timestamps: ArrayLike<number>,
    columns: readonly ArrayLike<number>[],
    from: number,
    count: number,
  ): void
  /** The rows since the last call; undefined if there are none. */
  take(): RowBatch | undefined
}

export function createBatchBuilder(columnCount: number): BatchBuilder {
  let runs: RowRun[] = []
  let rows = 0
  let batch = createColumns(columnCount)
  return {
    get room() {
      return BATCH_ROWS - rows
    },
    add(id, metric, timestamps, columns, from, count) {
      copy(batch.timestamps, rows, timestamps, from, count)
      for (const [index, column] of columns.entries()) {
        const target = batch.columns[index]
        if (target) copy(target, rows, column, from, count)
      }
      rows += count
      runs.push({ id, metric, count })
    },
    take() {
      if (rows === 0) return undefined
      const taken = { runs, ...batch }
      runs = []
      rows = 0
      batch = createColumns(columnCount)
      return taken
    },
  }
}

const createColumns = (count: number): Omit<RowBatch, 'runs'> => ({
  timestamps: new Float64Array(BATCH_ROWS),
  columns: Array.from({ length: count }, () => new Float64Array(BATCH_ROWS)),
})

function copy(
  target: Float64Array,
  at: number,
  source: ArrayLike<number>,
  from: number,
  count: number,
): void {
  for (let index = 0; index < count; index += 1) target[at + index] = source[from + index] ?? Number.NaN
}

import { float64At } from '../../../kernel/at.ts'
import { type BatchBuilder, createBatchBuilder, type ReadingBatch } from '../reading/batch.ts'

/** Collects readings in order of arrival and groups them by site and series. */
export interface ReadingList {
  size(): number
  put(siteUuid: string, seriesId: number, at: number, value: number): void
  /** By site, each series ordered by time. */
  bySite(): Map<string, SortedReadings>
}

export interface SortedReadings {
  /** The first value of each instant. */
  first: ReadingBatch
  /** The last value of each instant with several values, if there are any, and the counts for all but the first. */
  last: ReadingBatch | undefined
  replaced: number
  unchanged: number
}

/** Readings of one site in order of arrival. */
interface Columns {
  count: number
  seriesIds: Float64Array
  timestamps: Float64Array
  values: Float64Array
}

/** Small: a batch may contain readings of thousands of sites. */
const FIRST_LENGTH = 16

const createColumns = (length: number): Columns => ({
  count: 0,
  seriesIds: new Float64Array(length),
  timestamps: new Float64Array(length),
  values: new Float64Array(length),
})

function grow(columns: Columns): void {
  const larger = createColumns(columns.seriesIds.length * 2)
  larger.seriesIds.set(columns.seriesIds)
  larger.timestamps.set(columns.timestamps)
  larger.values.set(columns.values)
  Object.assign(columns, { ...larger, count: columns.count })
}

export function createReadingList(): ReadingList {
  const sites = new Map<string, Columns>()
  let recent: { siteUuid: string; columns: Columns } | undefined
  let size = 0

  const getColumns = (siteUuid: string): Columns => {
    if (recent?.siteUuid === siteUuid) return recent.columns
    let columns = sites.get(siteUuid)
    if (!columns) sites.set(siteUuid, (columns = createColumns(FIRST_LENGTH)))
    recent = { siteUuid, columns }
    return columns
  }

  return {
    size: () => size,
    put(siteUuid, seriesId, at, value) {
      const columns = getColumns(siteUuid)
      const { count } = columns
      if (count === columns.seriesIds.length) grow(columns)
      columns.seriesIds[count] = seriesId
      columns.timestamps[count] = at
      columns.values[count] = value
      columns.count += 1
      size += 1
    },
    bySite: () => new Map([...sites].map(([siteUuid, columns]) => [siteUuid, sort(columns)])),
  }
}

function sort({ count, seriesIds, timestamps, values }: Columns): SortedReadings {
  const first = createBatchBuilder(count)
  // Few batches contain two values for the same instant.
  let last: BatchBuilder | undefined
  let [replaced, unchanged] = [0, 0]
  let before = -1
  for (const index of inOrder(seriesIds.subarray(0, count), timestamps)) {
    const seriesId = float64At(seriesIds, index)
    const at = float64At(timestamps, index)
    const value = float64At(values, index)
    const isRepeated = seriesIds[before] === seriesId && timestamps[before] === at
    if (isRepeated) {
      if (values[before] === value) unchanged += 1
      else replaced += 1
      last ??= createBatchBuilder(count)
      last.put(seriesId, at, value)
    } else first.put(seriesId, at, value)
    before = index
  }
  return { first: first.finish(), last: last?.finish(), replaced, unchanged }
}

/** The indexes of the readings, ordered by series and time; stable for readings of the same instant. */
function inOrder(seriesIds: Float64Array, timestamps: Float64Array): Float64Array {
  const count = seriesIds.length
  // One number for series and index: sorting needs no comparison function.
  const order = seriesIds.map((seriesId, index) => seriesId * count + index).toSorted()
  for (let place = 0; place < count; place += 1) order[place] = float64At(order, place) % count
  // The readings of a series usually arrive in order of time and need no sorting.
  if (isInOrder(order, seriesIds, timestamps)) return order
  return order.toSorted(
    (a, b) =>
      float64At(seriesIds, a) - float64At(seriesIds, b) ||
      float64At(timestamps, a) - float64At(timestamps, b),
  )
}

function isInOrder(order: Float64Array, seriesIds: Float64Array, timestamps: Float64Array): boolean {
  for (let place = 1; place < order.length; place += 1) {
    const [before, index] = [float64At(order, place - 1), float64At(order, place)]
    if (
      seriesIds[before] === seriesIds[index] &&
      float64At(timestamps, index) < float64At(timestamps, before)
    )
      return false
  }
  return true
}

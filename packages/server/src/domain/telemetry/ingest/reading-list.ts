import { float64At, numberAt } from '../../../kernel/at.ts'

/** One series of a batch. */
interface SeriesReadings {
  seriesId: number
  timestamps: number[]
  values: number[]
}

/** Collects readings in order of arrival and groups them by site and series. */
export interface ReadingList {
  size(): number
  put(siteUuid: string, seriesId: number, at: number, value: number): void
  /** By site, each series ordered by time. */
  bySite(): Map<string, SortedReadings>
}

export interface SortedReadings {
  /** The first value of each instant. */
  first: SeriesReadings[]
  /** The last value of each instant with several values, and the counts for all but the first. */
  last: SeriesReadings[]
  replaced: number
  unchanged: number
}

interface Columns {
  seriesIds: number[]
  timestamps: number[]
  values: number[]
}

export function createReadingList(): ReadingList {
  const sites = new Map<string, Columns>()
  let recent: { siteUuid: string; columns: Columns } | undefined
  let count = 0

  const getColumns = (siteUuid: string): Columns => {
    if (recent?.siteUuid === siteUuid) return recent.columns
    let columns = sites.get(siteUuid)
    if (!columns) sites.set(siteUuid, (columns = { seriesIds: [], timestamps: [], values: [] }))
    recent = { siteUuid, columns }
    return columns
  }

  return {
    size: () => count,
    put(siteUuid, seriesId, at, value) {
      const columns = getColumns(siteUuid)
      columns.seriesIds.push(seriesId)
      columns.timestamps.push(at)
      columns.values.push(value)
      count += 1
    },
    bySite: () => new Map([...sites].map(([siteUuid, columns]) => [siteUuid, sort(columns)])),
  }
}

function sort({ seriesIds, timestamps, values }: Columns): SortedReadings {
  const sorted: SortedReadings = { first: [], last: [], replaced: 0, unchanged: 0 }
  let before = -1
  for (const place of inOrder(seriesIds, timestamps)) {
    const seriesId = numberAt(seriesIds, place)
    const at = numberAt(timestamps, place)
    const value = numberAt(values, place)
    const isRepeated = seriesIds[before] === seriesId && timestamps[before] === at
    if (isRepeated) sorted[values[before] === value ? 'unchanged' : 'replaced'] += 1
    put(isRepeated ? sorted.last : sorted.first, seriesId, at, value)
    before = place
  }
  return sorted
}

/** The indexes of the readings, ordered by series and time; stable for readings of the same instant. */
function inOrder(
  seriesIds: readonly number[],
  timestamps: readonly number[],
): ArrayLike<number> & Iterable<number> {
  const count = seriesIds.length
  // One number for series and index: sorting needs no comparison function.
  const keys = Float64Array.from(seriesIds, (seriesId, place) => seriesId * count + place).toSorted()
  const order = keys.map((key) => key % count)
  const isBefore = (a: number, b: number): boolean =>
    seriesIds[a] === seriesIds[b] && numberAt(timestamps, a) < numberAt(timestamps, b)
  // The readings of a series usually arrive in order of time and need no sorting.
  if (!order.some((place, index) => index > 0 && isBefore(place, float64At(order, index - 1)))) return order
  return order.toSorted(
    (a, b) =>
      numberAt(seriesIds, a) - numberAt(seriesIds, b) || numberAt(timestamps, a) - numberAt(timestamps, b),
  )
}

/** Appends a reading, in order of series and time; a second value of an instant replaces the first. */
function put(batch: SeriesReadings[], seriesId: number, at: number, value: number): void {
  const own = batch.at(-1)
  if (own?.seriesId !== seriesId) {
    // Most series have one reading in a batch: an array literal allocates room for one element only.
    batch.push({ seriesId, timestamps: [at], values: [value] })
    return
  }
  const last = own.timestamps.length - 1
  if (own.timestamps[last] === at) own.values[last] = value
  else {
    own.timestamps.push(at)
    own.values.push(value)
  }
}

/** One series of a batch. */
interface SeriesReadings {
  seriesId: number
  timestamps: number[]
  values: number[]
}

/** Readings as they come, sorted out when there are enough of them. */
export interface ReadingList {
  size(): number
  put(siteUuid: string, seriesId: number, at: number, value: number): void
  /** By site, each series in order of time. */
  bySite(): Map<string, SortedReadings>
}

export interface SortedReadings {
  /** The first value of each instant. */
  first: SeriesReadings[]
  /** The last value of each instant that had several, and what became of all but the first. */
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
  let count = 0
  return {
    size: () => count,
    put(siteUuid, seriesId, at, value) {
      let columns = sites.get(siteUuid)
      if (!columns) sites.set(siteUuid, (columns = { seriesIds: [], timestamps: [], values: [] }))
      columns.seriesIds.push(seriesId)
      columns.timestamps.push(at)
      columns.values.push(value)
      count += 1
    },
    bySite: () => new Map([...sites].map(([siteUuid, columns]) => [siteUuid, sort(columns)])),
  }
}

function sort({ seriesIds, timestamps, values }: Columns): SortedReadings {
  // Stable: of two of one instant the later stays behind the earlier. What comes in order, as most does, is only looked at.
  const order = [...seriesIds.keys()].toSorted(
    (a, b) => (seriesIds[a] ?? 0) - (seriesIds[b] ?? 0) || (timestamps[a] ?? 0) - (timestamps[b] ?? 0),
  )
  const sorted: SortedReadings = { first: [], last: [], replaced: 0, unchanged: 0 }
  let before = -1
  for (const place of order) {
    const seriesId = seriesIds[place] ?? 0
    const at = timestamps[place] ?? 0
    const value = values[place] ?? 0
    const isRepeated = seriesIds[before] === seriesId && timestamps[before] === at
    if (isRepeated) sorted[values[before] === value ? 'unchanged' : 'replaced'] += 1
    put(isRepeated ? sorted.last : sorted.first, seriesId, at, value)
    before = place
  }
  return sorted
}

/** In order of series and time; a second value of an instant takes the place of the first. */
function put(batch: SeriesReadings[], seriesId: number, at: number, value: number): void {
  const own = batch.at(-1)
  if (own?.seriesId !== seriesId) {
    // Most have one reading in a delivery: lists that begin with it have room for no more.
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

import type { SeriesReadings } from '../reading/store.ts'

/** Readings as they come, sorted out when there are enough of them. */
export interface ReadingList {
  size(): number
  put(siteUuid: string, seriesId: number, at: number, value: number): void
  /** By site: each series in order of time, with the newest value of each instant; and what became of the others. */
  bySite(): Map<string, SortedReadings>
}

export interface SortedReadings {
  batch: SeriesReadings[]
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
  // Stable: of two of one instant the later stays behind the earlier.
  const order = Uint32Array.from(seriesIds.keys()).toSorted(
    (a, b) =>
      (seriesIds[a] ?? 0) - (seriesIds[b] ?? 0) || (timestamps[a] ?? 0) - (timestamps[b] ?? 0) || a - b,
  )
  const sorted: SortedReadings = { batch: [], replaced: 0, unchanged: 0 }
  let own: { seriesId: number; timestamps: number[]; values: number[] } | undefined
  for (const place of order) {
    const seriesId = seriesIds[place] ?? 0
    const at = timestamps[place] ?? 0
    const value = values[place] ?? 0
    if (own?.seriesId !== seriesId) sorted.batch.push((own = { seriesId, timestamps: [], values: [] }))
    const last = own.timestamps.length - 1
    if (own.timestamps[last] !== at) {
      own.timestamps.push(at)
      own.values.push(value)
      continue
    }
    sorted[own.values[last] === value ? 'unchanged' : 'replaced'] += 1
    own.values[last] = value
  }
  return sorted
}

import type { Readings } from '../../reading/packed-day.ts'

/** The readings of one series that are not packed yet, in order of time, each with the number of its arrival. */
interface HotSeries extends Readings {
  arrivals: number[]
}

/** What the journal holds, by series and time: an index in memory over rows that lie in order of arrival. */
export interface HotReadings {
  /** How many there are. */
  readonly size: number
  of(seriesId: number): Readings | undefined
  series(): number[]
  /** Later arrivals replace earlier ones of the same instant. `readings` are in order of time. */
  put(arrival: number, seriesId: number, readings: Readings): void
  /** Forgets what arrived up to here. */
  forget(arrival: number): void
  clear(): void
}

export function createHotReadings(): HotReadings {
  const bySeries = new Map<number, HotSeries>()
  let size = 0
  return {
    get size() {
      return size
    },
    of: (seriesId) => bySeries.get(seriesId),
    series: () => [...bySeries.keys()],
    put(arrival, seriesId, readings) {
      const known = bySeries.get(seriesId)
      if (!known) {
        const arrivals = readings.timestamps.map(() => arrival)
        bySeries.set(seriesId, {
          timestamps: [...readings.timestamps],
          values: [...readings.values],
          arrivals,
        })
        size += readings.timestamps.length
        return
      }
      size -= known.timestamps.length
      if ((readings.timestamps[0] ?? 0) > (known.timestamps.at(-1) ?? -1)) append(known, readings, arrival)
      else bySeries.set(seriesId, merged(known, readings, arrival))
      size += bySeries.get(seriesId)?.timestamps.length ?? 0
    },
    forget(arrival) {
      for (const [seriesId, known] of bySeries) {
        const kept = known.arrivals.flatMap((at, index) => (at > arrival ? index : []))
        size += kept.length - known.arrivals.length
        if (kept.length === 0) bySeries.delete(seriesId)
        else bySeries.set(seriesId, pick(known, kept))
      }
    },
    clear() {
      bySeries.clear()
      size = 0
    },
  }
}

function append(known: HotSeries, { timestamps, values }: Readings, arrival: number): void {
  for (let index = 0; index < timestamps.length; index += 1) {
    known.timestamps.push(timestamps[index] ?? 0)
    known.values.push(values[index] ?? 0)
    known.arrivals.push(arrival)
  }
}

function merged(known: HotSeries, { timestamps, values }: Readings, arrival: number): HotSeries {
  const result: HotSeries = { timestamps: [], values: [], arrivals: [] }
  let a = 0
  let b = 0
  while (a < known.timestamps.length || b < timestamps.length) {
    const left = known.timestamps[a] ?? Number.POSITIVE_INFINITY
    const right = timestamps[b] ?? Number.POSITIVE_INFINITY
    const isNewer = right <= left
    result.timestamps.push(isNewer ? right : left)
    result.values.push((isNewer ? values[b] : known.values[a]) ?? 0)
    result.arrivals.push(isNewer ? arrival : (known.arrivals[a] ?? 0))
    if (left <= right) a += 1
    if (isNewer) b += 1
  }
  return result
}

const pick = (known: HotSeries, indexes: readonly number[]): HotSeries => ({
  timestamps: indexes.map((index) => known.timestamps[index] ?? 0),
  values: indexes.map((index) => known.values[index] ?? 0),
  arrivals: indexes.map((index) => known.arrivals[index] ?? 0),
})

import { float64At, int32At } from '../../../kernel/at.ts'
import type { Readings } from '../../../domain/telemetry/reading/packed-day.ts'
import type { LatestReading } from '../../../domain/telemetry/reading/store.ts'

/** In-memory index of the journal by series and time; its rows are in order of arrival. */
export interface JournalIndex {
  /** Number of readings. */
  readonly size: number
  of(seriesId: number): Readings | undefined
  newest(seriesId: number): LatestReading | undefined
  /** The instant of the newest reading; minus infinity if there is none. */
  newestAt(seriesId: number): number
  /** The instant of the last reading before `at`; minus infinity if there is none. */
  before(seriesId: number, at: number): number
  series(): number[]
  /**
   * Adds the readings from index `from` to before `to`, in order of time. A higher sequence replaces a lower one of the
   * same instant.
   */
  put(
    sequence: number,
    seriesId: number,
    timestamps: Float64Array,
    values: Float64Array,
    from: number,
    to: number,
  ): void
  /** Removes readings with this or a lower sequence. */
  evict(sequence: number): void
  clear(): void
}

const NONE = -1
const FIRST_LENGTH = 1_024

/**
 * All readings are in a few typed arrays, each with the index of the previous reading of its series. Adding a reading
 * writes some numbers and allocates nothing for the garbage collector.
 */
export function createJournalIndex(): JournalIndex {
  let columns = createColumns(FIRST_LENGTH)
  let size = 0
  /** The index of the newest reading of each series. */
  let ends = new Map<number, number>()

  const add = (at: number, value: number, sequence: number, previous: number): number => {
    if (size === columns.timestamps.length) columns = grown(columns)
    columns.timestamps[size] = at
    columns.values[size] = value
    columns.sequences[size] = sequence
    columns.previous[size] = previous
    return size++
  }

  const link = (seriesId: number, next: number, place: number): void => {
    if (next === NONE) ends.set(seriesId, place)
    else columns.previous[next] = place
  }

  const clear = (): void => {
    columns = createColumns(FIRST_LENGTH)
    ends = new Map()
    size = 0
  }

  return {
    get size() {
      return size
    },
    of(seriesId) {
      const end = ends.get(seriesId)
      if (end === undefined) return undefined
      const readings: Readings = { timestamps: [], values: [] }
      for (let place = end; place !== NONE; place = int32At(columns.previous, place)) {
        readings.timestamps.push(float64At(columns.timestamps, place))
        readings.values.push(float64At(columns.values, place))
      }
      readings.timestamps.reverse()
      readings.values.reverse()
      return readings
    },
    newest(seriesId) {
      const end = ends.get(seriesId)
      if (end === undefined) return undefined
      return { at: float64At(columns.timestamps, end), value: float64At(columns.values, end) }
    },
    newestAt(seriesId) {
      const end = ends.get(seriesId)
      return end === undefined ? Number.NEGATIVE_INFINITY : float64At(columns.timestamps, end)
    },
    before(seriesId, at) {
      let place = ends.get(seriesId) ?? NONE
      while (place !== NONE && float64At(columns.timestamps, place) >= at)
        place = int32At(columns.previous, place)
      return place === NONE ? Number.NEGATIVE_INFINITY : float64At(columns.timestamps, place)
    },
    series: () => [...ends.keys()],
    put(sequence, seriesId, timestamps, values, from, to) {
      let next = NONE
      let place = ends.get(seriesId) ?? NONE
      // From the newest to the oldest, in the direction of the links: one pass over the series.
      for (let index = to - 1; index >= from; index -= 1) {
        const at = float64At(timestamps, index)
        while (place !== NONE && float64At(columns.timestamps, place) > at) {
          next = place
          place = int32At(columns.previous, place)
        }
        if (place !== NONE && columns.timestamps[place] === at) {
          columns.values[place] = float64At(values, index)
          columns.sequences[place] = sequence
        } else {
          const own = add(at, float64At(values, index), sequence, place)
          link(seriesId, next, own)
          next = own
        }
      }
    },
    evict(sequence) {
      const [known, knownEnds] = [columns, ends]
      clear()
      for (const [seriesId, end] of knownEnds) {
        let next = NONE
        for (let place = end; place !== NONE; place = int32At(known.previous, place)) {
          const since = float64At(known.sequences, place)
          if (since <= sequence) continue
          const own = add(float64At(known.timestamps, place), float64At(known.values, place), since, NONE)
          link(seriesId, next, own)
          next = own
        }
      }
    },
    clear,
  }
}

interface Columns {
  timestamps: Float64Array
  values: Float64Array
  sequences: Float64Array
  /** The index of the next older reading of the same series. */
  previous: Int32Array
}

const createColumns = (length: number): Columns => ({
  timestamps: new Float64Array(length),
  values: new Float64Array(length),
  sequences: new Float64Array(length),
  previous: new Int32Array(length),
})

function grown(columns: Columns): Columns {
  const larger = createColumns(columns.timestamps.length * 2)
  larger.timestamps.set(columns.timestamps)
  larger.values.set(columns.values)
  larger.sequences.set(columns.sequences)
  larger.previous.set(columns.previous)
  return larger
}

import { numberAt } from '../kernel/at.ts'

/** [from, to), in epoch milliseconds. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** [from, to), in epoch milliseconds; `to` is null if the span has no end yet. */
export interface OpenEndedSpan {
  readonly from: number
  readonly to: number | null
}

/** A day of a local calendar, counted from 1970-01-01. Branded, so that an instant cannot be passed as a day. */
export type LocalDay = number & { readonly unit: 'local-day' }

export const toLocalDay = (number: number): LocalDay => number as LocalDay

/** [first, end), days of a local calendar. The field names differ from `TimeSpan`, so that the two cannot be mixed. */
export interface DaySpan {
  readonly first: LocalDay
  readonly end: LocalDay
}

/** Consecutive windows. Each begins where the previous one ends; an index out of range throws. */
export class Windows implements Iterable<TimeSpan> {
  readonly length: number
  readonly #edges: readonly number[]

  /** The start of each window in order, and the end of the last. */
  constructor(edges: readonly number[]) {
    if (edges.length < 2) throw new RangeError('A window has two edges.')
    this.#edges = edges
    this.length = edges.length - 1
  }

  /** The start of each window in order, and the end of the last. */
  get edges(): readonly number[] {
    return this.#edges
  }

  from(index: number): number {
    if (index >= this.length) throw this.#noWindow(index)
    return numberAt(this.#edges, index)
  }

  to(index: number): number {
    if (index < 0) throw this.#noWindow(index)
    return numberAt(this.#edges, index + 1)
  }

  span(index: number): TimeSpan {
    return { from: this.from(index), to: this.to(index) }
  }

  /** From the start of the first window to the end of the last. */
  get whole(): TimeSpan {
    return { from: this.from(0), to: this.to(this.length - 1) }
  }

  /** The windows that end at or before an instant. There must be at least one. */
  endingBy(instant: number): Windows {
    return new Windows(this.#edges.filter((edge) => edge <= instant))
  }

  /** The index of the window that begins at an instant; -1 if none does. */
  indexOf(from: number): number {
    const index = this.#edges.indexOf(from)
    return index === this.length ? -1 : index
  }

  *[Symbol.iterator](): Generator<TimeSpan, void, undefined> {
    for (let index = 0; index < this.length; index += 1) yield this.span(index)
  }

  #noWindow(index: number): RangeError {
    return new RangeError(`No window ${index} of ${this.length}.`)
  }
}

let listed: { windows: Windows; spans: readonly TimeSpan[] } | undefined

/** The windows as a list. That of the last call is kept: the series of a batch have the same windows. */
export function listSpans(windows: Windows): readonly TimeSpan[] {
  if (listed?.windows !== windows) listed = { windows, spans: [...windows] }
  return listed.spans
}

const getEnd = ({ to }: OpenEndedSpan): number => to ?? Number.POSITIVE_INFINITY

export const overlaps = (period: OpenEndedSpan, { from, to }: TimeSpan): boolean =>
  period.from < to && getEnd(period) > from

export const covers = (period: OpenEndedSpan, { from, to }: TimeSpan): boolean =>
  period.from <= from && getEnd(period) >= to

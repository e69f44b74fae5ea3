/** [from, to), in epoch milliseconds. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** [from, to), in epoch milliseconds; `to` is null while it goes on. */
export interface OpenEndedSpan {
  readonly from: number
  readonly to: number | null
}

/** [first, end), days of a local calendar. The names of the fields keep it from being taken for a span of time. */
export interface DaySpan {
  readonly first: number
  readonly end: number
}

const endOf = ({ to }: OpenEndedSpan): number => to ?? Number.POSITIVE_INFINITY

export const overlaps = (period: OpenEndedSpan, { from, to }: TimeSpan): boolean =>
  period.from < to && endOf(period) > from

export const covers = (period: OpenEndedSpan, { from, to }: TimeSpan): boolean =>
  period.from <= from && endOf(period) >= to

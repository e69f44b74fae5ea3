/** Part of a month to export. */
export interface MonthPart {
  /** Such as 2026-11. */
  month: string
  from: Temporal.PlainDate
  /** Exclusive. */
  to: Temporal.PlainDate
  /** Whether the part is over, so that no more readings of it are measured. */
  isOver: boolean
}

/** The months from one day to another, both inclusive, up to today. */
export function listMonths(
  from: Temporal.PlainDate,
  last: Temporal.PlainDate,
  today: Temporal.PlainDate,
): MonthPart[] {
  const { compare } = Temporal.PlainDate
  const newest = compare(last, today) < 0 ? last : today
  const parts: MonthPart[] = []
  for (let start = from; compare(start, newest) <= 0; ) {
    const month = start.toPlainYearMonth()
    const next = month.add({ months: 1 }).toPlainDate({ day: 1 })
    const end = last.add({ days: 1 })
    const to = compare(next, end) < 0 ? next : end
    parts.push({ month: month.toString(), from: start, to, isOver: compare(to, today) <= 0 })
    start = next
  }
  return parts
}

/** Consecutive windows, with the offset that the clocks of Berlin have at each start. */
export interface Windows {
  timestamps: string[]
  toDateTime: string
}

/** The hours of days from `first` on; days on which clocks change have 23 or 25. */
export function listHours(first: string, days = 1): Windows {
  const start = Temporal.PlainDate.from(first).toZonedDateTime('Europe/Berlin')
  const end = start.add({ days })
  const count = end.since(start, { largestUnit: 'hour' }).hours
  return split(Array.from({ length: count + 1 }, (_, hours) => start.add({ hours })))
}

export function listDays(first: string, count: number): Windows {
  const start = Temporal.PlainDate.from(first)
  return split(
    Array.from({ length: count + 1 }, (_, days) => start.add({ days }).toZonedDateTime('Europe/Berlin')),
  )
}

function split(times: readonly Temporal.ZonedDateTime[]): Windows {
  const texts = times.map(
    (time) => `${time.toPlainDateTime().toString({ smallestUnit: 'second' })}${time.offset}`,
  )
  const toDateTime = texts.pop()
  if (toDateTime === undefined) throw new RangeError('At least one window is needed')
  return { timestamps: texts, toDateTime }
}

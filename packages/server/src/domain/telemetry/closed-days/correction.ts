import { getLocalDays, type LocalDays } from '../../../calendar/local-day.ts'
import { newOrderedUuid } from '../../../kernel/ids.ts'
import type { NewEvent } from '../../event/event.ts'
import { isMetricName } from '../../metric/catalogue.ts'
import type { SeriesIndex } from '../rollup/series-index.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import { toLinks } from './links.ts'

/** A correction is reported when its series has not changed for this long. */
const QUIET_MS = 10_000
/** A correction is reported this long after its first change at the latest: an import may take hours. */
const LONGEST_MS = 5 * 60_000

/** Maximum number of days in one event: as many as an export may have. */
const MAX_DAYS = 366

/** Closed days of a space's series whose values have changed. */
export interface CorrectedDays {
  seriesId: number
  from: number
  /** Exclusive. */
  end: number
}

/** A correction that no event has reported yet. */
export interface Correction extends CorrectedDays {
  /** When the values first changed. */
  firstAt: number
}

/** When to report a correction, given when it first and last changed. */
export const correctionDueAt = (firstAt: number, lastAt: number): number =>
  Math.min(firstAt + LONGEST_MS, lastAt + QUIET_MS)

/**
 * Before this time, a further change of the same days leaves a stored correction as it is: it would hardly be postponed.
 */
export const unchangedUntil = ({ firstAt, dueAt }: { firstAt: number; dueAt: number }): number =>
  firstAt + LONGEST_MS - dueAt < QUIET_MS / 4 ? Number.POSITIVE_INFINITY : dueAt - (QUIET_MS * 3) / 4

/**
 * Whether a stored correction already covers a change up to a day: it has the days, and it would hardly be postponed.
 * The readings of an import change the same days thousands of times.
 */
export const includesChange = (
  stored: { end: number; firstAt: number; dueAt: number },
  end: number,
  now: number,
): boolean => stored.end >= end && now < unchangedUntil(stored)

/** The closed days in which values of some series change in a span; empty if there are none. */
export function findCorrectedDays(
  days: LocalDays,
  seriesIds: readonly number[],
  span: TimeSpan,
  closedBefore: number,
): CorrectedDays[] {
  if (span.from >= closedBefore) return []
  const from = days.dayAt(span.from)
  const last = days.dayAt(Math.min(Math.max(span.from, span.to - 1), closedBefore - 1))
  return seriesIds.map((seriesId) => ({ seriesId, from, end: last + 1 }))
}

/** The events for the corrections of a site: one for each series and range of consecutive days, ordered by series. */
export function toCorrectionEvents(
  { model, spaces }: Pick<SeriesIndex, 'model' | 'spaces'>,
  corrections: readonly Correction[],
  now: number,
): NewEvent[] {
  const { zone } = model
  const days = getLocalDays(zone)
  return mergeCorrections(corrections).flatMap(({ seriesId, from, end, firstAt }) => {
    const series = spaces.get(seriesId)
    // Batteries are not a metric of spaces in the API.
    if (!series || !isMetricName(series.metric)) return []
    const { spaceUuid, metric } = series
    return {
      eventUuid: newOrderedUuid(now),
      type: 'data.corrected',
      at: firstAt,
      recordedAt: now,
      deviceUuid: null,
      spaceUuid,
      data: {
        spaceUuid,
        metricType: metric,
        fromDateTime: zone.format(days.startOfDay(from)),
        toDateTime: zone.format(days.startOfDay(end)),
        days: end - from,
        links: toLinks({ from, end }, [metric], spaceUuid),
      },
    }
  })
}

/** Ranges that overlap or touch become one, of at most `MAX_DAYS`. */
function mergeCorrections(corrections: readonly Correction[]): Correction[] {
  const sorted = corrections.toSorted((a, b) => a.seriesId - b.seriesId || a.from - b.from)
  const merged: Correction[] = []
  for (const correction of sorted) {
    const last = merged.at(-1)
    if (last?.seriesId !== correction.seriesId || last.end < correction.from) merged.push({ ...correction })
    else {
      last.end = Math.max(last.end, correction.end)
      last.firstAt = Math.min(last.firstAt, correction.firstAt)
    }
  }
  return merged.flatMap((whole) =>
    Array.from({ length: Math.ceil((whole.end - whole.from) / MAX_DAYS) }, (_, index) => {
      const from = whole.from + index * MAX_DAYS
      return { ...whole, from, end: Math.min(whole.end, from + MAX_DAYS) }
    }),
  )
}

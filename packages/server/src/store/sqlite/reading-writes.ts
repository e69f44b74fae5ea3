import type { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../lib/clock.ts'
import { firstAfter } from '../../reading/delta.ts'
import { dayOf, type Readings } from '../../reading/packed-day.ts'
import type { AddedReadings, Arrival, SeriesReadings } from '../../reading/store.ts'
import type { HotReadings } from './hot-readings.ts'
import type { JournalSeries } from './journal-batch.ts'
import { journalOf } from './journal.ts'
import { packedDays, packReadings } from './reading-days.ts'
import { noteChanges } from './reopen.ts'
import { raiseVersion } from './sealed-days.ts'
import { latestPacked } from './touched-days.ts'

export const readingWrites = {
  addReadings(
    db: DatabaseSync,
    siteUuid: string,
    batch: readonly SeriesReadings[],
    arrival: Arrival,
  ): AddedReadings {
    const journal = journalOf(db)
    const added: AddedReadings = { accepted: 0, replaced: 0, unchanged: 0 }
    const hot = journal.hot()
    const changes = batch
      .map((series) => changesIn(db, hot, series, arrival, added))
      .filter(({ timestamps }) => timestamps.length > 0)
    const { whole = [], loose = [] } = Object.groupBy(changes, (series) =>
      isHistory(hot, series) ? 'whole' : 'loose',
    )
    for (const series of whole) {
      packReadings(db, series.seriesId, series)
      // Whoever follows the journal does not see these.
      raiseVersion(db, series.seriesId)
    }
    journal.append(loose)
    noteChanges(db, siteUuid, changes, systemClock.now())
    return added
  },
}

/** From so many readings of one series, dense enough to fill its days, the way round through the journal is longer. */
const HISTORY_READINGS = 200
const HISTORY_READINGS_A_DAY = 20

/** Long histories go straight into packed days, unless the journal, which lies over them, has the same instants. */
function isHistory(hot: HotReadings, { seriesId, timestamps }: JournalSeries): boolean {
  const days = dayOf(timestamps.at(-1) ?? 0) - dayOf(timestamps[0] ?? 0) + 1
  if (timestamps.length < HISTORY_READINGS || timestamps.length < days * HISTORY_READINGS_A_DAY) return false
  const own = hot.of(seriesId)
  return !own || !timestamps.some((at) => valueAt(own, at) !== undefined)
}

/** The readings that are new or have another value than before; all are counted. */
function changesIn(
  db: DatabaseSync,
  hot: HotReadings,
  { seriesId, timestamps, values }: SeriesReadings,
  arrival: Arrival,
  added: AddedReadings,
): JournalSeries {
  const first = timestamps[0]
  if (first === undefined) return { seriesId, timestamps: [], values: [] }
  const own = hot.of(seriesId)
  const isPackedNewer = latestPacked(db, seriesId) >= first
  if (!isPackedNewer && (own?.timestamps.at(-1) ?? -1) < first) {
    added.accepted += timestamps.length
    return { seriesId, timestamps: Array.from(timestamps), values: Array.from(values) }
  }
  const last = timestamps[timestamps.length - 1] ?? first
  const packed = isPackedNewer ? packedDays(db, seriesId, dayOf(first), dayOf(last)) : []
  const changes: JournalSeries = { seriesId, timestamps: [], values: [] }
  for (let index = 0; index < timestamps.length; index += 1) {
    const at = timestamps[index] ?? 0
    const value = values[index] ?? 0
    const known = valueAt(own, at) ?? valueIn(packed, at)
    if (known !== undefined && (known === value || arrival === 'repeated')) {
      added.unchanged += 1
      continue
    }
    added[known === undefined ? 'accepted' : 'replaced'] += 1
    changes.timestamps.push(at)
    changes.values.push(value)
  }
  return changes
}

function valueAt(readings: Readings | undefined, at: number): number | undefined {
  if (!readings) return undefined
  const index = firstAfter(readings.timestamps, at)
  return readings.timestamps[index] === at ? readings.values[index] : undefined
}

const valueIn = (days: readonly Readings[], at: number): number | undefined => {
  const day = days.find(({ timestamps }) => dayOf(timestamps[0] ?? 0) === dayOf(at))
  return valueAt(day, at)
}

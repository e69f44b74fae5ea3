import type { ObservedChanges } from '../../../domain/telemetry/rollup/store.ts'
import { createBatcher } from '../../../kernel/batcher.ts'
import { createChangeTracker } from '../../change-tracker.ts'
import type { RunQuery } from './read-readings.ts'

interface SeriesQuestion {
  siteUuid: string
  seriesIds: readonly number[]
}

interface ChangeRow {
  seriesId: number
  at: number
  changes: number
  lateChanges: number
}

const NO_READINGS = { at: Number.NEGATIVE_INFINITY, changes: 0, lateChanges: 0 }

type Counts = Pick<ChangeRow, 'changes' | 'lateChanges'>

/** About 20 MB. When more series have been observed, all results that were computed before are taken as changed. */
const MAX_SERIES = 100_000

/**
 * Follows the changes of series by the counters that each batch of readings increments. `sequence` numbers the changes
 * that this process has seen.
 */
export function createChangeObserver(
  ask: RunQuery,
  maxSeries = MAX_SERIES,
): (siteUuid: string, seriesIds: readonly number[]) => Promise<ObservedChanges> {
  const tracker = createChangeTracker()
  const known = new Map<number, Counts>()
  let sequence = 0
  let gap = 0

  /**
   * Forgets all series if these do not fit. Called before their rows are added: a series from which results are about to
   * be computed must stay known, because its next change would not be noticed otherwise.
   */
  const makeRoom = (seriesIds: readonly number[]): void => {
    const added = seriesIds.reduce((count, seriesId) => count + Number(!known.has(seriesId)), 0)
    if (known.size + added <= maxSeries) return
    known.clear()
    sequence += 1
    gap = sequence
    tracker.markGap(gap)
  }

  const add = ({ seriesId, at, changes, lateChanges }: ChangeRow): void => {
    const before = known.get(seriesId)
    if (before?.changes === changes) return
    known.set(seriesId, { changes, lateChanges })
    // Nothing was computed from this series since the gap.
    if (!before) return tracker.restart(gap, seriesId, at)
    sequence += 1
    // Smaller counts are those of an older snapshot, or of a restored database.
    const isAppended = changes > before.changes && lateChanges === before.lateChanges
    if (isAppended) tracker.record(sequence, seriesId, at, at, Number.NEGATIVE_INFINITY)
    else tracker.restart(sequence, seriesId, at)
  }

  const observe = createBatcher<SeriesQuestion, number>({
    key: ({ siteUuid }) => siteUuid,
    flush: async (questions) => {
      const [question] = questions
      if (!question) return []
      const ids = [...new Set(questions.flatMap(({ seriesIds }) => seriesIds))]
      const rows = await ask(
        (sql) => sql<ChangeRow[]>`
          SELECT series_id AS "seriesId", ts AS at, changes, late_changes AS "lateChanges"
          FROM latest_readings WHERE site_uuid = ${question.siteUuid} AND series_id = ANY(${ids}::bigint[])`,
      )
      const found = new Map(rows.map((row) => [row.seriesId, row]))
      makeRoom(ids)
      for (const seriesId of ids) add(found.get(seriesId) ?? { seriesId, ...NO_READINGS })
      // All of these changes are committed, so whatever is read after this query includes them.
      return questions.map(() => sequence)
    },
    when: 'tick',
  })

  const lastChangeBefore: ObservedChanges['lastChangeBefore'] = (seriesIds, at) =>
    seriesIds.reduce((last, seriesId) => Math.max(last, tracker.before(seriesId, at)), 0)

  return async (siteUuid, seriesIds) => ({
    sequence: await observe({ siteUuid, seriesIds }),
    lastChangeBefore,
  })
}

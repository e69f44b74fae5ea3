import type { ObservedChanges } from '../../../domain/telemetry/rollup/store.ts'
import { createBatcher } from '../../../kernel/batcher.ts'
import { createChangeTracker } from '../../change-tracker.ts'
import type { Sql } from '../pool/connect.ts'
import type { RunQuery } from './read-readings.ts'

interface SeriesQuestion {
  siteUuid: string
  seriesIds: readonly number[]
}

/** Columns are null if the series has no readings, or no rollups. */
export interface ChangeRow {
  seriesId: number
  at: number | null
  version: number | null
  lateVersion: number | null
  rollupVersion: number | null
}

interface Versions {
  version: number
  lateVersion: number
}

type Observation = Pick<ObservedChanges, 'sequence' | 'versions'>

/** About 20 MB. When more series have been observed, all results that were computed before are taken as changed. */
const MAX_SERIES = 100_000

/**
 * Follows the changes of series by the versions that each batch of readings and each rollup raises. `sequence`
 * numbers the changes of readings that this process has seen.
 */
export function createChangeObserver(
  ask: RunQuery,
  maxSeries = MAX_SERIES,
): (siteUuid: string, seriesIds: readonly number[]) => Promise<ObservedChanges> {
  const tracker = createChangeTracker()
  const known = new Map<number, Versions>()
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

  const add = (seriesId: number, at: number, versions: Versions): void => {
    const before = known.get(seriesId)
    if (before?.version === versions.version) return
    known.set(seriesId, versions)
    // Nothing was computed from this series since the gap.
    if (!before) return tracker.restart(gap, seriesId, at)
    sequence += 1
    // A lower version is that of an older snapshot, or of a restored database.
    const isAppended = versions.version > before.version && versions.lateVersion === before.lateVersion
    if (isAppended) tracker.record(sequence, seriesId, at, at, Number.NEGATIVE_INFINITY)
    else tracker.restart(sequence, seriesId, at)
  }

  const observe = createBatcher<SeriesQuestion, Observation>({
    key: ({ siteUuid }) => siteUuid,
    flush: async (questions) => {
      const [question] = questions
      if (!question) return []
      const ids = [...new Set(questions.flatMap(({ seriesIds }) => seriesIds))]
      const rows = await ask((sql) => readChanges(sql, question.siteUuid, ids))
      makeRoom(ids)
      for (const { seriesId, at, version, lateVersion } of rows)
        add(seriesId, at ?? Number.NEGATIVE_INFINITY, {
          version: version ?? 0,
          lateVersion: lateVersion ?? 0,
        })
      const versions = new Map(rows.map(({ seriesId, rollupVersion }) => [seriesId, rollupVersion ?? 0]))
      // All of these changes are committed, so whatever is read after this query includes them.
      return questions.map(() => ({ sequence, versions }))
    },
    when: 'tick',
  })

  const lastChangeBefore: ObservedChanges['lastChangeBefore'] = (seriesIds, at) =>
    seriesIds.reduce((last, seriesId) => Math.max(last, tracker.before(seriesId, at)), 0)

  return async (siteUuid, seriesIds) => {
    const { sequence: observed, versions } = await observe({ siteUuid, seriesIds })
    return { sequence: observed, versions, lastChangeBefore }
  }
}

const readChanges = (sql: Sql, siteUuid: string, seriesIds: readonly number[]): Promise<ChangeRow[]> =>
  sql<ChangeRow[]>`
    SELECT asked.series_id AS "seriesId", ts AS at, latest.version, late_version AS "lateVersion",
      rollup.version AS "rollupVersion"
    FROM unnest(${seriesIds}::bigint[]) AS asked (series_id)
    LEFT JOIN latest_readings AS latest
      ON latest.site_uuid = ${siteUuid} AND latest.series_id = asked.series_id
    LEFT JOIN rollup_versions AS rollup
      ON rollup.site_uuid = ${siteUuid} AND rollup.series_id = asked.series_id`

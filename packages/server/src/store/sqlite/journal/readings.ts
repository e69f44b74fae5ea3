import type { DatabaseSync } from 'node:sqlite'
import type { ReadingStore } from '../../../domain/telemetry/reading/store.ts'
import { readingInSlices, translateErrors } from '../failure.ts'
import { packBatch } from './journal-batch.ts'
import { latestSteps, readingsAround, readingsWithin, recentSteps } from './stored-readings.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

export const sqliteReadings = (reader: () => DatabaseSync, writes: BoundWrites<'readings'>): ReadingStore =>
  withWrites<ReadingStore, 'readings'>(writes, {
    add: (siteUuid, batch, onConflict = 'replace') => writes.add(siteUuid, packBatch(batch), onConflict),
    around: async (_siteUuid, seriesId, span) =>
      translateErrors(() => readingsAround(reader(), seriesId, span)),
    within: async (_siteUuid, seriesId, span) =>
      translateErrors(() => readingsWithin(reader(), seriesId, span)),
    latest: (siteUuid, seriesIds) => readingInSlices(() => latestSteps(reader(), siteUuid, seriesIds)),
    recent: (siteUuid, seriesIds, count) =>
      readingInSlices(() => recentSteps(reader(), siteUuid, seriesIds, count)),
  })

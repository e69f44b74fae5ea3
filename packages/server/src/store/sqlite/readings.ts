import type { DatabaseSync } from 'node:sqlite'
import type { ReadingStore } from '../../reading/store.ts'
import { reading, readingInSlices } from './failure.ts'
import { packBatch } from './journal-batch.ts'
import { latestSteps, readingsAround, readingsWithin } from './stored-readings.ts'
import type { Writer } from './writer.ts'

export const sqliteReadings = (reader: () => DatabaseSync, writer: Writer): ReadingStore => ({
  add: (siteUuid, batch, arrival = 'new') => writer.run('addReadings', siteUuid, packBatch(batch), arrival),
  around: (_siteUuid, seriesId, span) => reading(() => readingsAround(reader(), seriesId, span)),
  within: (_siteUuid, seriesId, span) => reading(() => readingsWithin(reader(), seriesId, span)),
  latest: (siteUuid, seriesIds) => readingInSlices(() => latestSteps(reader(), siteUuid, seriesIds)),
})

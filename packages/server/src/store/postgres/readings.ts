import type { ReadingStore } from '../../reading/store.ts'
import type { AddReadings } from './add-readings.ts'
import type { Database } from './connect.ts'
import { latestReadings, createReadingReader } from './reading-questions.ts'

export const postgresReadings = (db: Database, add: AddReadings): ReadingStore => ({
  ...createReadingReader((run) => db.read(run)),
  add: (siteUuid, batch, arrival = 'new') => add(siteUuid, batch, arrival),
  latest: (siteUuid, seriesIds) => db.read((sql) => latestReadings(sql, siteUuid, seriesIds)),
})

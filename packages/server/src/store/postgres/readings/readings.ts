import type { ReadingStore } from '../../../domain/telemetry/reading/store.ts'
import type { AddReadings } from './add-readings.ts'
import type { Database } from '../pool/connect.ts'
import { latestReadings, createReadingReader, recentReadings } from './read-readings.ts'

export const postgresReadings = (db: Database, add: AddReadings): ReadingStore => ({
  ...createReadingReader((run) => db.read(run)),
  add: (siteUuid, batch, onConflict = 'replace') => add(siteUuid, batch, onConflict),
  latest: (siteUuid, seriesIds) => db.read((sql) => latestReadings(sql, siteUuid, seriesIds)),
  recent: (siteUuid, seriesIds, count) => db.read((sql) => recentReadings(sql, siteUuid, seriesIds, count)),
})

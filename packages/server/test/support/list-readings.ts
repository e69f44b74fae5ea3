import { forEachSeries, type ReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

type ListedReading = [seriesId: number, at: number, value: number]

/** The readings of a batch, one by one. */
export function listReadings(batch: ReadingBatch): ListedReading[] {
  const readings: ListedReading[] = []
  forEachSeries(batch, (seriesId, from, to) => {
    for (let place = from; place < to; place += 1)
      readings.push([seriesId, batch.timestamps[place] ?? Number.NaN, batch.values[place] ?? Number.NaN])
  })
  return readings
}

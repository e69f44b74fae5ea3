import type { SeriesReadings } from '@portico/server/domain/telemetry/reading/batch'
import type { Store } from '@portico/server/store/store'
import { applyResidence } from '../../support/fill.ts'
import { DAY_MS, makeResidence, STEP_MS, generateValues } from '../../support/residence.ts'

interface Deliveries {
  siteUuid: string
  /** Readings of all series at one instant, then at the next. */
  deliveries: SeriesReadings[][]
  /** Number of readings. */
  count: number
}

/** Readings of past days for a new site: none of its days is closed yet, so no reading is late. */
export async function makeDeliveries(store: Store, rooms: number, days: number): Promise<Deliveries> {
  const residence = makeResidence(rooms)
  const instants = (days * DAY_MS) / STEP_MS
  const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - (days + 1) * DAY_MS
  const series = (await applyResidence(store, residence)).map(({ seriesId, room, metric }) => ({
    seriesId,
    values: generateValues(metric, room, instants),
  }))
  const deliveries = Array.from({ length: instants }, (_, index) =>
    series.map(({ seriesId, values }) => ({
      seriesId,
      timestamps: [start + index * STEP_MS],
      values: [values[index] ?? 0],
    })),
  )
  return { siteUuid: residence.siteUuid, deliveries, count: instants * series.length }
}

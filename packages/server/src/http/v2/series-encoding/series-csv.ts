import { type SeriesColumns, toPoints } from '../../../domain/telemetry/series/columns.ts'
import type { Zone } from '../../../calendar/zone.ts'
import { SERIES_COLUMNS, toCsv } from '../../pipeline/csv.ts'

/** The windows of a series as CSV. */
export const toSeriesCsv = (zone: Zone, columns: SeriesColumns): string =>
  toCsv(
    SERIES_COLUMNS,
    toPoints(columns).map(({ at, ...point }) => ({ timestamp: zone.format(at), ...point })),
  )

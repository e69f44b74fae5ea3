import { type SeriesColumns, toPoints } from '../../../telemetry/series/columns.ts'
import type { Zone } from '../../../lib/zone.ts'
import { SERIES_COLUMNS, toCsv } from '../../csv.ts'

/** The windows of a series as CSV. */
export const toSeriesCsv = (zone: Zone, columns: SeriesColumns): string =>
  toCsv(
    SERIES_COLUMNS,
    toPoints(columns).map(({ at, ...point }) => ({ timestamp: zone.format(at), ...point })),
  )

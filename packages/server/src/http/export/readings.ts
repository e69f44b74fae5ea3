import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { MEASURED_METRICS } from '../../domain/metric/catalogue.ts'
import { listReadingSeries, readRows } from '../../domain/telemetry/export/rows.ts'
import { resolveExportSpan } from '../../domain/telemetry/series/range.ts'
import { parseMetrics, parseUuids, requireNamed } from '../v2/aggregate/batch-parameters.ts'
import type { ReadingsQuery } from './export-job.ts'
import { type PreparedExport, toMetadata } from './prepared-export.ts'

/** An export of the readings of a site; throws if a parameter is invalid. */
export function prepareReadings(model: SiteModel, query: ReadingsQuery, now: number): PreparedExport {
  const span = resolveExportSpan(query, model.zone, now)
  const metrics =
    query.metricTypes === undefined ? undefined : parseMetrics(query.metricTypes, undefined, MEASURED_METRICS)
  const uuids = parseUuids('deviceUuids', query.deviceUuids)
  const devices = uuids
    ? requireNamed('deviceUuids', uuids, model.devices, 'device')
    : [...model.devices.values()]
  const series = listReadingSeries(devices, metrics)
  const found = [...new Set(series.map(({ metric }) => metric))].toSorted()
  return {
    options: {
      kind: 'readings',
      format: query.format ?? 'ndjson',
      idName: 'deviceUuid',
      timeZone: model.site.timeZone,
      metadata: toMetadata(model, span, found),
    },
    read: (snapshots, pause) => readRows(snapshots, model, series, span, pause),
  }
}

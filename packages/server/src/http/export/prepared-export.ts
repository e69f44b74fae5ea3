import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { getUnit, type MeasuredMetric, type MetricName } from '../../domain/metric/catalogue.ts'
import type { ExportOptions, RowBatch } from '../../domain/telemetry/export/format.ts'
import type { Snapshots } from '../../domain/telemetry/export/store.ts'
import type { TimeSpan } from '../../calendar/interval.ts'
import type { Pause } from '../../kernel/time-slice.ts'
import { getVersion } from '../../kernel/version.ts'

/** An export whose parameters are valid. Nothing is read yet. */
export interface PreparedExport {
  options: ExportOptions
  read(snapshots: Snapshots, pause: Pause): AsyncGenerator<RowBatch>
}

/** Metadata of a Parquet file. */
export const toMetadata = (
  { site, zone }: SiteModel,
  { from, to }: TimeSpan,
  metrics: readonly (MetricName | MeasuredMetric)[],
  more: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  site: site.siteUuid,
  timeZone: site.timeZone,
  fromDateTime: zone.format(from),
  toDateTime: zone.format(to),
  units: JSON.stringify(Object.fromEntries(metrics.map((metric) => [metric, getUnit(metric)]))),
  version: getVersion(),
  ...more,
})

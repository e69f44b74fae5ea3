import type { Interval } from '../../calendar/window-edges.ts'
import type { ExportFormat } from '../../domain/telemetry/export/format.ts'
import type { GroupBy, SpaceFilters } from '../v2/aggregate/select-spaces.ts'

export interface ReadingsQuery {
  fromDateTime: string
  toDateTime: string
  metricTypes?: string
  deviceUuids?: string
  format?: ExportFormat
}

export interface WindowsQuery extends SpaceFilters {
  fromDateTime: string
  toDateTime: string
  interval?: Interval
  metricTypes?: string
  groupBy?: GroupBy
  format?: ExportFormat
}

/** The request of an export; a message to the thread that runs it. */
export type ExportJob = { siteUuid: string } & (
  | { kind: 'readings'; query: ReadingsQuery }
  | { kind: 'windows'; query: WindowsQuery }
)

import { CALENDAR_INTERVALS, CLOCK_INTERVALS } from '../calendar/window-edges.ts'

export type { Interval as ExportInterval } from '../calendar/window-edges.ts'
export { EXPORT_FORMAT_NAMES, type ExportFormat, type ExportKind } from '../domain/telemetry/export/format.ts'
export type { GroupBy as ExportGroup } from '../http/v2/aggregate/select-spaces.ts'

export const EXPORT_INTERVALS = [...CLOCK_INTERVALS, ...CALENDAR_INTERVALS]

import type { SeriesColumns } from './columns.ts'
import type { Summary } from './point.ts'

export interface Series {
  columns: SeriesColumns
  summary: Summary
  /** Emissions only: whether they were computed from any synthetic intensity. */
  isSynthetic?: boolean
}

import type { SeriesColumns } from './columns.ts'
import type { Summary } from './point.ts'

export interface Series {
  columns: SeriesColumns
  summary: Summary
  /** Emissions only: whether some of the intensity that they were computed with is synthetic. */
  isSynthetic?: boolean
}

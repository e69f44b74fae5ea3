export const FORMATS = ['ndjson', 'csv', 'parquet'] as const
export const INTERVALS = ['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M'] as const
export const GROUPS = ['space', 'cluster', 'building', 'site'] as const

export type ExportKind = 'readings' | 'windows'
export type ExportFormat = (typeof FORMATS)[number]
export type ExportInterval = (typeof INTERVALS)[number]
export type ExportGroup = (typeof GROUPS)[number]

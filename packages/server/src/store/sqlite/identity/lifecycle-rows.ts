import type { Blackout, LifecycleOverride } from '../../../domain/v1-lifecycle/store.ts'
import { integerOrNull, type Row, text } from '../row.ts'

export const lifecycleFrom = (row: Row): LifecycleOverride => ({
  method: text(row, 'method'),
  path: text(row, 'path'),
  deprecatedAt: integerOrNull(row, 'deprecated_at'),
  sunsetAt: integerOrNull(row, 'sunset_at'),
  blackouts: JSON.parse(text(row, 'blackouts')) as Blackout[],
})

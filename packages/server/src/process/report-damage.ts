import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Store } from '../store/store.ts'

/** Logs and counts damaged rows, each once per process. */
export const reportDamage = (store: Store, metrics: Metrics, log: Log): void =>
  store.onDamage((row) => {
    metrics.damagedRows.inc({ table: row.table })
    log.error(row, 'a stored row is damaged; run: portico doctor --deep')
  })

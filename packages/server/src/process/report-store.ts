import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { DamagedRow, Migration, Store } from '../store/store.ts'
import type { MaintenanceTask } from '../store/maintenance.ts'

/** Logs and counts damaged rows, each once per process and thread. */
export const reportDamage = (store: Store, metrics: Metrics, log: Log): void =>
  store.onDamage(createDamageReporter(metrics, log))

export const createDamageReporter =
  (metrics: Metrics, log: Log) =>
  (row: DamagedRow): void => {
    metrics.damagedRows.inc({ table: row.table })
    log.error(row, 'a stored row is damaged; run: portico doctor --deep')
  }

/** Counts every failure of background maintenance, and logs the first one of a task until the task works again. */
export function reportMaintenance(store: Store, metrics: Metrics, log: Log): void {
  const failing = new Set<MaintenanceTask>()
  store.onMaintenance((event) => {
    const { task } = event
    if (event.kind === 'failed') {
      metrics.maintenanceFailures.inc({ task })
      if (failing.has(task)) return
      failing.add(task)
      const { subject, message, stack } = event
      log.error(
        { task, subject, message, stack },
        'background maintenance fails and is retried; run: portico doctor',
      )
    } else if (failing.delete(task)) log.info({ task }, 'background maintenance works again')
  })
}

/** Logs the migrations that were applied; those of a new store as one line. */
export function reportMigrations(applied: readonly Migration[], log: Log): void {
  if (applied[0]?.number === 1) log.info({ migrations: applied.length }, 'created the schema')
  else for (const { number, name } of applied) log.info({ number, name }, 'migrated')
}

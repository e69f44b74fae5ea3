import { AppError } from '../kernel/errors.ts'
import type { DamagedRow } from './store.ts'

/** Damage does not repair itself, so retrying soon is pointless. */
const RETRY_AFTER_S = 600

/**
 * Stored data that a response depends on is damaged or lost: the response is 503 instead of a result computed without
 * it.
 */
export class DamagedData extends AppError {
  /** The row in which damage was just found; undefined if it was already known. */
  readonly row: DamagedRow | undefined

  constructor(internal: string, row?: DamagedRow) {
    super('unavailable', 'Stored data that this answer needs is damaged. The operator has been informed.', {
      internal: `${internal}; run: portico doctor --deep`,
      retryAfterSeconds: RETRY_AFTER_S,
    })
    this.row = row
  }
}

/** Rows that are reported; further ones would add no information. */
const MAX_ROWS = 10_000

/** Reports each damaged row once, however often it is found. */
interface DamageReports {
  report(row: DamagedRow): void
  listen(listener: (row: DamagedRow) => void): void
}

export function createDamageReports(): DamageReports {
  const reported = new Set<string>()
  const waiting: DamagedRow[] = []
  let listener: ((row: DamagedRow) => void) | undefined
  return {
    report(row) {
      const name = describeDamage(row)
      if (reported.has(name) || reported.size >= MAX_ROWS) return
      reported.add(name)
      if (listener) listener(row)
      else waiting.push(row)
    },
    listen(added) {
      listener = added
      for (const row of waiting.splice(0)) added(row)
    },
  }
}

export function describeDamage({ table, seriesId, number, reason }: DamagedRow): string {
  const of = [
    ...(seriesId === undefined ? [] : [`series ${seriesId}`]),
    ...(number === undefined ? [] : [`${NUMBER_NAMES[table] ?? 'number'} ${number}`]),
  ]
  return `${table}${of.length === 0 ? '' : ` (${of.join(', ')})`}: ${reason}`
}

const NUMBER_NAMES: Record<string, string> = {
  reading_days: 'UTC day',
  rollup_days: 'day',
  rollup_months: 'month',
  rollup_quarter_hours: 'day',
  journal: 'sequence',
}

import { AppError } from '../kernel/errors.ts'
import type { DamagedRow } from './store.ts'

/** Damage does not repair itself, so retrying soon is pointless. */
const RETRY_AFTER_S = 600

/** Stored data that an answer needs is damaged or lost: 503 instead of a result computed without it. */
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

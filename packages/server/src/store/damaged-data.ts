import { AppError } from '../errors.ts'
import type { DamagedRow } from './store.ts'

/** Damage does not heal by itself: a caller need not ask again soon. */
const RETRY_AFTER_S = 600

/** Stored data that an answer needs are damaged or lost: 503, never a number that was made without them. */
export class DamagedData extends AppError {
  /** Where the damage was just found; undefined where it was known before. */
  readonly row: DamagedRow | undefined

  constructor(internal: string, row?: DamagedRow) {
    super('unavailable', 'Stored data that this answer needs are damaged. The operator has been informed.', {
      internal: `${internal}; run: portico doctor --deep`,
      retryAfterSeconds: RETRY_AFTER_S,
    })
    this.row = row
  }
}

import { unavailable, unreadable } from '../../kernel/errors.ts'
import { runInSlices, type Steps } from '../../kernel/steps.ts'

const BUSY = 5
/** `SQLITE_CORRUPT`: a page or a row is damaged. */
export const CORRUPT = 11
const NOT_A_DATABASE = 26

/** SQLite's primary result codes of transient errors: busy, locked, read-only, I/O, full, cannot open. */
const TRANSIENT = new Set([5, 6, 8, 10, 13, 14])

/** An error with SQLite's result code, whichever thread it comes from. */
export const getResultCode = (error: unknown): number | undefined => {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  return error.errcode & 0xff
}

/** Another connection holds a lock. */
export const isBusy = (error: unknown): boolean => getResultCode(error) === BUSY

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** If the disk is full, locked or missing, the response is 503 with Retry-After; the log has the cause. */
export function toStoreError(error: unknown): unknown {
  const code = getResultCode(error)
  const damage = `The store is damaged (${toMessage(error)}); run: portico doctor --deep`
  if (code === CORRUPT) return unreadable(damage)
  if (code === NOT_A_DATABASE) return unavailable(damage)
  return code !== undefined && TRANSIENT.has(code)
    ? unavailable(`The store failed: ${toMessage(error)}`)
    : error
}

/** Runs a read. Throws SQLite's errors as errors of the store. */
export function translateErrors<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw toStoreError(error)
  }
}

/** Translates the errors of a read that yields to other work between its steps. */
export async function readingInSlices<T>(read: () => Steps<T>): Promise<T> {
  try {
    return await runInSlices(read())
  } catch (error) {
    throw toStoreError(error)
  }
}
